import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues
import Testing

struct CommitCallsTests {
  @Test func `calls are counted anew for each commit`() throws {
    let module = try #require(ModuleName("m"))
    let registrations = (0..<10).map {
      BoundRegistration(Registration(.presenter, "number \($0)"), of: module)
    }
    var calls = CommitCalls()
    let seeds = (0..<3).map { _ in
      calls.begin(with: Action("m/go"))
      defer { calls.end() }
      return (registrations + registrations).map { calls.next(for: $0)?.seed }
    }
    #expect(Set(seeds[0]).count == 20, "each call has another seed")
    #expect(!seeds[0].contains(nil))
    #expect(seeds[1] == seeds[0] && seeds[2] == seeds[0], "the actions are the same")
  }
}
