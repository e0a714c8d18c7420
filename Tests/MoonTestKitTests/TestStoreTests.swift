import MoonTestKit
import Synchronization
import Testing

private struct Kettle: Feature {
  struct State: FeatureState {
    var celsius = 20.0
    var isOn = false
    var log: [String] = []
  }
  struct Heat: TypedAction { var to: Double }
  struct Reached: TypedAction { var celsius: Double }
  struct Hang: TypedAction {}
  struct HeatAtOnce: TypedAction {}
  enum Switch: TypedAction, CaseIterable { case on, off }

  var body: some Registrations {
    Reducer { (state: inout State, action: Switch) in state.isOn = action == .on }
    Reducer { (state: inout State, action: Reached) in
      state.celsius = action.celsius
      state.log.append("reached")
    }
    Reducer { (_: inout State, action: Heat) in
      if action.to > 200 { throw Refusal("water boils at 100 °C") }
    }
    Effect { (action: Heat, context) in
      try await context.dispatch(Action(Switch.on))
      try await context.sleep(for: .seconds(60))
      try await context.dispatch(Reached(celsius: action.to))
    }
    Effect { (_: HeatAtOnce, context) in
      try await context.dispatch([Switch.on, Reached(celsius: 100)])
    }
    Effect { (_: Hang, _) in for await _ in AsyncStream(Void.self, { _ in }) {} }
  }
}

/// What authors of features write in their tests.
struct TestStoreTests {
  @Test func `a test says what each action changes`() async throws {
    let store = try await TestStore(Kettle())
    await store.send(Kettle.Switch.on) { $0.isOn = true }
    await store.send(Kettle.Heat(to: 100))
    await store.receive(Kettle.Switch.on)
    await store.advance(by: .seconds(60))
    await store.receive(Kettle.Reached(celsius: 100)) {
      $0.celsius = 100
      $0.log = ["reached"]
    }
    #expect(await store.state?.log == ["reached"])
    await store.send(Kettle.Heat(to: 300), refused: "water boils at 100 °C")
    await store.send(Action("kettle/heat", ["to": 300]), refused: "water boils at 100 °C")
    await store.finish()
  }

  @Test func `a store that isn't exhaustive passes over the rest`() async throws {
    let store = try await TestStore(Kettle(), isExhaustive: false)
    await store.send(Kettle.Heat(to: 90))
    await store.advance(by: .seconds(60))
    await store.receive(Kettle.Reached(celsius: 90)) { $0.celsius = 90 }
    await store.send(Kettle.Heat(to: 90))
    await store.finish()
  }

  @Test func `actions that were carried out as one are received with the changes of all`()
    async throws
  {
    let store = try await TestStore(Kettle())
    let all: (inout Kettle.State) -> Void = {
      $0 = Kettle.State(celsius: 100, isOn: true, log: ["reached"])
    }
    await store.send(Kettle.HeatAtOnce())
    await store.receive(Kettle.Switch.on, all)
    await store.receive(Kettle.Reached(celsius: 100), all)
    await store.finish()
  }

  @Test func `what differs is reported with its path`() async throws {
    let issues = Mutex<[String]>([])
    try await withKnownIssue {
      let store = try await TestStore(Kettle())
      await store.send(Kettle.Switch.on) {
        $0.celsius = 30
        $0.log = ["on"]
      }
      await store.send(Kettle.Heat(to: .nan))
      await store.send(Action("kettle/boil"))
      await store.send(Kettle.Heat(to: 300), refused: "no water")
      await store.send(Kettle.Switch.off, refused: "no water")
      await store.send(Action("kettle/heat", ["to": 300]), refused: "no water")
      await store.send(Action("kettle/boil"), refused: "no water")
      await store.send(Kettle.Heat(to: 100))
      await store.receive(Kettle.Reached(celsius: 100))
      await store.receive(Kettle.Reached(celsius: 100))
      await store.send(Kettle.Heat(to: 50))
      await store.advance(by: .seconds(60))
      await store.receive(Kettle.Switch.on)
      await store.receive(Kettle.Reached(celsius: 101))
      await store.send(Kettle.Heat(to: 50))
      await store.finish()
    } matching: { issue in
      let text = issue.comments.map { $0.rawValue }.joined()
      issues.withLock { $0.append(text) }
      return true
    }
    #expect(
      issues.withLock { $0 } == [
        """
        the state after kettle/on differs:
          celsius: expected 30.0, got 20.0
          isOn: expected false, got true
          log[1]: expected "on", got nothing
        """,
        "the payload can't be encoded: to is not a number (0/0), which can't be kept",
        "kettle/boil: no module knows the action kettle/boil; did you mean kettle/off?",
        "kettle/heat: expected the refusal \"no water\", got \"water boils at 100 °C\"",
        "kettle/off wasn't refused",
        "kettle/heat: expected the refusal \"no water\", got \"water boils at 100 °C\"",
        "kettle/boil: expected the refusal \"no water\", but it failed: no module knows the action "
          + "kettle/boil; did you mean kettle/off?",
        "kettle/reached is expected, got kettle/on",
        "kettle/reached wasn't dispatched; kettle effect kettle/heat still runs: advance the "
          + "clock, or wait",
        """
        the payload of kettle/reached differs:
          celsius: expected 101.0, got 100.0
        """,
        "before kettle/heat, kettle/reached was dispatched, but the test didn't receive it",
        "kettle/on was dispatched, but the test didn't receive it",
        "at the end, kettle effect kettle/heat still runs",
      ])
  }

  @Test func `random numbers are the same for a seed`() {
    let rolls = [UInt64]([7, 7, 8]).map { seed in
      var random = SeededRandom(seed)
      return (0..<20).map { _ in Int.random(in: 1...6, using: &random) }
    }
    #expect(rolls[0] == rolls[1] && rolls[0] != rolls[2] && Set(rolls[0]).count > 3)
  }

  @Test func `an effect that doesn't come to rest is reported`() async throws {
    let issues = Mutex<[String]>([])
    try await withKnownIssue {
      let store = try await TestStore(Kettle(), within: .milliseconds(20))
      await store.send(Kettle.Hang())
      await store.session.close()
    } matching: { issue in
      issues.withLock { $0.append(issue.comments.map { $0.rawValue }.joined()) }
      return true
    }
    #expect(
      issues.withLock { $0 } == [
        "kettle effect kettle/hang doesn't come to rest within 0.02 seconds",
        "at the end, kettle effect kettle/hang still runs",
      ])
  }
}
