import MoonTestSupport
import Moonwire
import Testing

/// The budgets of an action and of the actions that follow from it don't count time in which the
/// process was stopped.
struct StoppedBudgetTests {
  /// Returns a module that stops the process while it handles an action, and is then called again.
  private static func module() throws -> Module {
    try Module("s", state: ["n": 0]) { module in
      module.reducers.append(
        Reducer(.exact("s/go")) { state, _ in
          let count = (state["n"]?.intValue ?? 0) + 1
          // Within a following action, so that its time counts as that of following actions.
          if count == 3 { try TestProcess.stop(forSeconds: 2) }
          state = ["n": .int(count)]
        })
      for number in 1...5 {
        module.observers.append(
          Observer(Path([.key("s"), .key("n")])) { new, _, context in
            // Among the calls that are measured, and before one that is.
            if number == 4, new == 5 { try TestProcess.stop(forSeconds: 2) }
            if number == 5, new != 6 { try context.dispatch(Action("s/go")) }
          })
      }
    }
  }

  @Test func `time while stopped is charged to no one`() async {
    await #expect(processExitsWith: .success) {
      var options = Bench.quiet
      options.followingBudget = .seconds(1)
      options.actionBudget = .seconds(1)
      let bench = try await Bench(options: options, adding: [{ try Self.module() }])
      let begun = ContinuousClock.now
      let outcome = try await bench.dispatch("s/go")
      try #require(ContinuousClock.now - begun > .seconds(4), "it wasn't stopped twice")
      try #require(outcome.failures.isEmpty, "\(outcome.failures)")
      try #require(outcome.faults.isEmpty, "\(outcome.faults)")
      try #require(try await bench.state("s.n") == 6)
    }
  }
}
