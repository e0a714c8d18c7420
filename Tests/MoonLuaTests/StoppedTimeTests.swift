import Foundation
import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Budgets are time in which a call could run.
struct StoppedTimeTests {
  /// Stops this process, and lets it go on after `seconds`.
  ///
  /// Another process has to do that.
  private static func stop(forSeconds seconds: Double) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    let own = ProcessInfo.processInfo.processIdentifier
    shell.arguments = ["-c", "kill -STOP \(own); sleep \(seconds); kill -CONT \(own)"]
    try shell.run()
    shell.waitUntilExit()
  }

  @Test func `time in which the process stood still counts for no budget`() async {
    await #expect(processExitsWith: .success) {
      let watchdog = try #require(Watchdog())
      var lua = try TestMachine(
        watchdog: watchdog,
        answer: { (_: [Value?], _: TestMachine.Log) throws(Refusal) -> [Argument] in
          do {
            try Self.stop(forSeconds: 2)
          } catch {
            throw .refused("\(error)")
          }
          return []
        })
      lua.budget = .seconds(1)
      let begun = ContinuousClock.now
      let text = "require('moonwire').call(1) for i = 1, 1e5 do end return 'done'"
      try #require(try lua.text(text) == "done")
      try #require(ContinuousClock.now - begun > .seconds(2), "it wasn't stopped")
      // The clock goes on afterwards.
      let error = failure { () throws(LuaError) in try lua.run("while true do end") }
      guard case .timedOut? = error else { fatalError("ended with \(String(describing: error))") }
    }
  }
}
