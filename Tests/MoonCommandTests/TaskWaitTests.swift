import MoonPrompt
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonCommand

@Suite(.timeLimit(.minutes(2))) struct TaskWaitTests {
  /// The interruption comes before, during or after the wait.
  @Test func `an interruption that finds no task to cancel is never lost`() async throws {
    let folder = try ScriptFolder(["m.lua": "return { reducers = { add = function() end } }"])
    let host = try Host(directory: folder.root)
    try await host.load()
    let session = PromptSession(
      host: host, id: await host.openSession(), log: LogRing(), cause: .prompt,
      settings: ConfiguredSettings(set: [:], file: nil, environment: [:]))
    for _ in 0..<500 {
      let wait = TaskWait(session, .seconds(60))
      async let answer = wait.run()
      await withCheckedContinuation { continuation in
        wait.interrupt { continuation.resume() }
      }
      #expect(await answer.report == nil)
    }
    await host.close()
  }
}
