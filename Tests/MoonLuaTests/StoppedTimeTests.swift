import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// A budget measures only time in which a call could run.
struct StoppedTimeTests {
  @Test func `time in which the process stood still counts for no budget`() async {
    await #expect(processExitsWith: .success) {
      let watchdog = try #require(Watchdog())
      var lua = try TestMachine(
        watchdog: watchdog,
        answer: { (_: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
          do {
            try TestProcess.stop(forSeconds: 2)
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
      // The clock continues afterwards.
      let error = failure { () throws(LuaError) in try lua.run("while true do end") }
      guard case .timedOut? = error else { fatalError("ended with \(String(describing: error))") }
    }
  }

  @Test func `the clock of budgets stands still with the process, and runs while it is held`() async
  {
    await #expect(processExitsWith: .success) {
      let watchdog = try #require(Watchdog())
      watchdog.holdClock(true)
      let (wall, begun) = (ContinuousClock.now, watchdog.clock)
      try TestProcess.stop(forSeconds: 2)
      try #require(ContinuousClock.now - wall > .seconds(2), "it wasn't stopped")
      try #require(watchdog.clock - begun < .seconds(1))
      // It continues afterwards, without any call.
      let middle = watchdog.clock
      while watchdog.clock - middle < .milliseconds(300) {}
      watchdog.holdClock(false)
    }
  }
}
