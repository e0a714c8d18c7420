import Logging
import MoonTestSupport
import Moonwire
import Testing

/// Lets an action bring back the first state.
private struct Reset<State: FeatureState, Trigger: TypedAction>: FeaturePart {
  var body: some Registrations {
    Reducer { (state: inout State, _: Trigger) in state = State() }
  }
}

/// Counts in a part of the state, and has another part.
private struct Counting<State: FeatureState, Step: TypedAction, Clear: TypedAction>: FeaturePart {
  let count: WritableKeyPath<State, Int>
  var step = 1
  var begins: Step?

  var body: some Registrations {
    Reducer { (state: inout State, _: Step) in state[keyPath: count] += step }
    View { (state: State) in "\(state[keyPath: count]) so far" }
    Reset<State, Clear>()
    if let begins { OnStart { try $0.dispatch(begins) } }
    Derivation(.set, of: ["step"])
  }
}

private struct Sheep: Feature {
  struct State: FeatureState {
    var count = 0
    var step = 0.5
  }
  struct Jump: TypedAction {}
  struct Wake: TypedAction {}

  var body: some Registrations {
    Counting<State, Jump, Wake>(count: \.count, begins: Jump())
    Route("/sheep") { _ in Screen(title: "Sheep") }
  }
}

private struct Laps: Feature {
  struct State: FeatureState {
    var run = 7
    var step = 1
  }
  struct Lap: TypedAction { var seconds: Double }
  struct Stop: TypedAction {}

  var body: some Registrations { Counting<State, Lap, Stop>(count: \.run, step: 10) }
}

/// Registrations that several features share.
@Suite(.timeLimit(.minutes(1))) struct FeaturePartTests {
  private static func host(_ features: [any Feature]) async throws -> Host {
    var options = HostOptions()
    options.logger.logLevel = .critical
    return try await Host(nil, features: features, options: options, isWatching: false)
  }

  @Test func `each feature has a part for its own state and actions`() async throws {
    let host = try await Self.host([Sheep(), Laps()])
    let session = try await host.session()
    try await session.dispatch([Sheep.Jump(), Laps.Lap(seconds: 61.5), Laps.Lap(seconds: 60)])
    #expect(try await session.state(Sheep.State.self).count == 2)
    #expect(try await session.state(Laps.State.self).run == 27)
    try await session.dispatch(Laps.Stop())
    #expect(try await session.state(Sheep.State.self).count == 2)
    #expect(try await session.state(Laps.State.self).run == 7)
    try await session.route("/sheep")
    #expect(await session.screen?.lines(width: 40).map { "\($0.text)" } == ["2 so far"])
    let types = await host.actionInfos().map {
      "\($0.type) \($0.schema?.fields.map { "\($0.name) \($0.type)" } ?? [])"
    }
    #expect(
      types == [
        "laps/lap [\"seconds number\"]", "laps/set_step [\"value integer\"]", "laps/stop []",
        "sheep/jump []", "sheep/set_step [\"value number\"]", "sheep/wake []",
      ])
    await host.close()
  }

  // MARK: Parts that can't be used

  private struct Endless: FeaturePart {
    var body: some Registrations {
      Endless()
      Endless()
    }
  }
  private struct Beginning: FeaturePart {
    var body: some Registrations { OnStart { _ in } }
  }
  private struct Timed: FeaturePart {
    var body: some Registrations { Schedule(Action("timed/x")) }
  }
  private struct Naming: FeaturePart {
    struct Rename: TypedAction {}
    var body: some Registrations { Effect { (_: Rename, _) in } }
  }
  private struct Stray: Registrations {}
  private struct Owner<Content: Registrations>: Feature {
    let content: @Sendable () -> Content
    @RegistrationsBuilder var body: RegistrationGroup {
      Beginning()
      content()
    }
  }
  private struct Missing: Feature {
    let part: Endless? = nil
    var body: some Registrations { part }
  }

  private static let problems: [(feature: any Feature, message: String)] = [
    (
      Owner { Endless() },
      "the part Endless of owner is in too many others: take it out of its own body"
    ),
    (Owner { Beginning() }, "owner registers on_start twice: make one of them"),
    (Owner { Timed() }, "a Schedule in owner is nil: check the values that it is made of"),
    (Missing(), "a Endless in missing is nil: check the values that it is made of"),
    (
      Owner { Naming() },
      "the action naming/rename is declared in owner, and has another name: give it a static "
        + "`type` that begins with owner/"
    ),
    (
      Owner { Reset<Sheep.State, Sheep.Wake>() },
      "reducer sheep/wake of owner takes the state Sheep.State: take the feature's own"
    ),
    (
      Owner { Stray() },
      "Stray in owner registers nothing: let it be a FeaturePart, with a body"
    ),
  ]

  @Test func `a part that can't be registered says why`() async throws {
    let host = try await Self.host([])
    for (feature, message) in Self.problems {
      let error = await #expect(throws: HostError.self) { try await host.add(feature) }
      #expect(error.map { "\($0)" } == message)
    }
    #expect(await host.moduleInfos().isEmpty)
    await host.close()
  }

  @Test func `a module that is made at run time takes parts, and nothing if one is wrong`() throws {
    var module = Module(name: ModuleName(literal: "made"))
    module.state = ["count": 0, "step": 0.5]
    try module.register {
      Beginning()
      Counting<Sheep.State, Sheep.Jump, Sheep.Wake>(count: \.count)
    }
    #expect("\(module.reducers.map(\.registration))".contains("sheep/wake"))
    let count = module.registrations.count
    #expect(throws: FeatureError.tooDeep("Endless", in: "made")) {
      try module.register {
        Effect("made/x") { _, _ in }
        Endless()
      }
    }
    #expect(module.registrations.count == count)
  }
}
