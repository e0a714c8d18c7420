import Logging
import MoonTestSupport
import Moonwire
import Testing

/// A feature with all that has types.
private struct Thermometer: Feature {
  enum Mood: String, Codable, CaseIterable, Sendable { case cold, warm }
  struct State: FeatureState {
    var celsius = 20.0
    var notes: [String] = []
    var mood = Mood.warm
    var last: Double?
  }
  struct Measure: TypedAction { var celsius: Double }
  struct MeasureLater: TypedAction { var celsius: Double }
  struct Clear: TypedAction {}
  enum Note: TypedAction {
    case add(String), remove(at: Int), removeAll
    static let examples: [Note] = [.add(""), .remove(at: 1), .removeAll]
  }
  struct Sum: TypedCommand {
    typealias Answer = Double
    var numbers: [Double]
  }

  var description: String? { "Measures the temperature" }
  var isLoud = false

  var body: some Registrations {
    Reducer { (state: inout State, action: Measure, meta: Action.Meta) in
      state.celsius = action.celsius
      state.mood = action.celsius < 18 ? .cold : .warm
      state.last = meta.time
    }
    Reducer { (state: inout State, _: Clear) in state.notes = [] }
    Reducer("alarm/off") { (state: inout State) in state.notes = ["off"] }
    Reducer { (state: inout State, action: Note) in
      switch action {
      case .add(let text): state.notes.append(text)
      case .remove(let position):
        guard state.notes.indices.contains(position - 1) else { throw NoNote() }
        state.notes.remove(at: position - 1)
      case .removeAll: state.notes = []
      }
    }
    Effect { (action: MeasureLater, context) in
      try await context.sleep(for: .milliseconds(1))
      guard try await context.state(as: State.self).celsius != action.celsius else { return }
      try await context.dispatch(Measure(celsius: action.celsius))
    }
    Route("/thermometer/:room") { (route, state: State) in
      Screen(title: "\(state.celsius) in the \(route["room"])")
    }
    View { (state: State) in
      "It is \(state.celsius) °C"
      for note in state.notes { Element.text(note) }
      if state.notes.isEmpty { Element.heading("No notes") }
      Element.button("Cool", Measure(celsius: 5))
    }
    Observer(\State.mood) { new, old, context in
      try context.dispatch(Action(Note.add("\(old) to \(new)")))
    }
    NavigationMapper { (action: Measure) in
      action.celsius > 40 ? .route("/thermometer/sauna", option: .push) : nil
    }
    Command { (command: Sum, _) in command.numbers.reduce(0, +) }
    Derivation(.set, of: ["celsius"])
    if isLoud { OnStart { try $0.dispatch(Note.add("started")) } }
  }

  struct NoNote: Error, CustomStringConvertible { var description: String { "no such note" } }
}

/// Modules that are Swift types, and sessions that programs hold.
@Suite(.timeLimit(.minutes(2))) struct FeatureTests {
  private static let listener = """
    return {
      state = { heard = 0 },
      reducers = {
        ["thermometer/measure"] = function(s, p) s.heard = p.celsius end,
        ["thermometer/add"] = function(s, p) s.heard = p.value end,
      },
    }
    """

  private func opened(
    _ files: [String: String] = [:], _ features: [any Feature] = [Thermometer()]
  ) async throws -> (ScriptFolder, Host, HostSession) {
    let folder = try ScriptFolder(files)
    var options = HostOptions()
    options.clock = Clock { 1000.25 }
    options.logger.logLevel = .critical
    let host = try await Host(folder.root, features: features, options: options, isWatching: false)
    return (folder, host, try await host.session())
  }

  @Test func `typed actions change typed states, and scripts hear and dispatch them`() async throws
  {
    let (_, host, session) = try await opened(["ear.lua": Self.listener])
    try await session.dispatch(Thermometer.Measure(celsius: 15.5))
    var state = try await session.state(Thermometer.State.self)
    #expect(state.celsius == 15.5 && state.mood == .cold && state.last == 1000.25)
    #expect(state.notes == ["warm to cold"])
    #expect(try await session.value(at: "ear.heard", as: String.self) == "warm to cold")
    try await session.dispatch(Action("thermometer/measure", ["celsius": 30]))
    try await session.dispatch(Action("thermometer/remove", ["at": 1]))
    state = try await session.state(Thermometer.State.self)
    #expect(state.celsius == 30 && state.notes == ["cold to warm"])
    try await session.dispatch(Thermometer.Note.removeAll)
    #expect(try await session.value(at: "thermometer.notes", as: [String].self) == [])
    let infos = await host.actionInfos(of: ModuleName("thermometer"))
    #expect(
      infos.map {
        "\($0.type) \($0.schema?.fields.map { "\($0.name) \($0.type)" } ?? [])"
      }
        == [
          "thermometer/add [\"value string\"]", "thermometer/clear []",
          "thermometer/measure [\"celsius number\"]",
          "thermometer/measure_later [\"celsius number\"]", "thermometer/remove [\"at integer\"]",
          "thermometer/remove_all []", "thermometer/set_celsius [\"value number\"]",
        ])
  }

  @Test func `what has not changed is shared, and an action without effect changes nothing`()
    async throws
  {
    let (_, _, session) = try await opened()
    let outcome = try await session.dispatch(Thermometer.Clear())
    #expect(outcome.changes.changes.isEmpty)
    #expect("\(outcome)" == "no change")
    #expect(
      "\(try await session.dispatch(Thermometer.Note.add("x")))"
        == "thermometer.notes[1] nothing → \"x\"")
    #expect("\(try Action(Thermometer.Note.add("x")))" == "thermometer/add {\"value\":\"x\"}")
    #expect("\(try Action(Thermometer.Clear()))" == "thermometer/clear")
    let (before, after) = (outcome.before["thermometer"], outcome.after["thermometer"])
    #expect(before.map { after?.isIdentical(to: $0) == true } ?? false)
  }

  @Test func `screens, effects, mappers and commands work with types`() async throws {
    let (_, host, session) = try await opened([:], [Thermometer(isLoud: true)])
    #expect(try await session.state(Thermometer.State.self).notes == ["started"])
    try await session.dispatch(Thermometer.Measure(celsius: 41))
    let shown = try #require(await session.screen)
    #expect(shown.screen.title == "41.0 in the sauna")
    #expect(
      shown.lines(width: 40).map { "\($0.text)" }
        == ["It is 41.0 °C", "started", "", "[1] Cool"])
    try await session.tap("Cool")
    #expect(try await session.state(Thermometer.State.self).celsius == 5)
    #expect(
      try await session.call("thermometer/sum", ["numbers": [1, 2.5]], as: Double.self) == 3.5)
    #expect(try await session.call(Thermometer.Sum(numbers: [1, 2])) == 3)
    try await session.dispatch(Action("thermometer/set_celsius", ["value": 7]))
    #expect(try await session.state(Thermometer.State.self).celsius == 7)
    await #expect(throws: CommandError.self) {
      try await session.call("thermometer/sum", ["numbers": "many"])
    }
    // An effect that ends without dispatching anything, and one that dispatches.
    for celsius in [5.0, 6] {
      try await session.dispatch(
        Thermometer.MeasureLater(celsius: celsius), awaitingEffects: true)
      #expect(try await session.state(Thermometer.State.self).celsius == celsius)
    }
    await host.close()
  }

  @Test func `sequences begin with what is there and end with the session`() async throws {
    let (_, _, session) = try await opened()
    let values = try await session.values(\Thermometer.State.celsius, buffering: .newest(10))
    let events = await session.events
    for celsius in [21.0, 21, 22] {
      try await session.dispatch(Thermometer.Measure(celsius: celsius))
    }
    await #expect(throws: DispatchError.self) {
      try await session.dispatch(Thermometer.Note.remove(at: 9))
    }
    #expect(await session.close() != nil)
    var all: [Double] = []
    for await celsius in values { all.append(celsius) }
    #expect(all == [20, 21, 22])
    for await event in events { Issue.record("\(event)") }
  }

  @Test func `a closed session says so`() async throws {
    let (_, _, session) = try await opened()
    await session.close()
    await #expect(throws: DispatchError.noSession) {
      try await session.dispatch(Thermometer.Clear())
    }
    await #expect(throws: StateError.closed) { try await session.state }
    await #expect(throws: StateError.closed) {
      try await session.values(\Thermometer.State.celsius)
    }
    #expect(await session.close() == nil)
    #expect(await session.screen == nil)
    for await _ in await session.events {}
    #expect("\(StateError.closed)" == "the session is closed: open another one")
  }

  @Test func `a host can be closed while tasks wait on it`() async throws {
    struct Slow: Feature {
      struct Wait: TypedAction {}
      var body: some Registrations {
        Effect { (_: Wait, context) in try await context.sleep(for: .seconds(3600)) }
        Command("forever") { (_: Value, context) in
          try await context.sleep(for: .seconds(3600))
          return true
        }
      }
    }
    let (_, host, session) = try await opened([:], [Slow(), Thermometer()])
    let (_, _, other) = try await opened()
    let values = try await session.values(\Thermometer.State.celsius)
    await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask { _ = try? await session.dispatch(Slow.Wait(), awaitingEffects: true) }
        group.addTask { _ = try? await session.call("slow/forever") }
        group.addTask { for await _ in values {} }
      }
      while await host.taskInfos(of: session.id).count < 40 { await Task.yield() }
      await host.close()
    }
    await #expect(throws: HostError.closed) { try await host.session() }
    #expect("\(HostError.closed)" == "the host is closed: make another one to open a session")
    await #expect(throws: DispatchError.noSession) { try await session.dispatch(Slow.Wait()) }
    // Another host of the program doesn't notice.
    try await other.dispatch(Thermometer.Measure(celsius: 1))
    #expect(try await other.state(Thermometer.State.self).celsius == 1)
  }

  @Test func `what can't be read or sent says why`() async throws {
    struct Stranger: FeatureState {}
    struct Odd: TypedAction {
      var number: Double
      static var type: Text { "thermometer/measure" }
    }
    let (_, _, session) = try await opened()
    let noFeature = await #expect(throws: StateError.self) {
      try await session.state(Stranger.self)
    }
    #expect("\(noFeature.map { "\($0)" } ?? "")".hasSuffix("Stranger: add it to the host first"))
    await #expect(
      throws: StateError.mismatch(
        .wrongType(
          Path([.key("thermometer"), .key("mood")]), expected: "an integer", found: "a string"))
    ) { try await session.value(at: "thermometer.mood", as: Int.self) }
    await #expect(
      throws: StateError.mismatch(.missing(Path([.key("none")]), expected: "an integer"))
    ) { try await session.value(at: "none", as: Int.self) }
    #expect(try await session.value(at: "none", as: Int?.self) == nil)
    await #expect(
      throws: StateError.malformedPath("a..b", .unexpectedByte(UInt8(ascii: "."), column: 3))
    ) { try await session.value(at: "a..b", as: Int.self) }
    await #expect(
      throws: DispatchError.unencodable(
        type: "thermometer/measure",
        reason: "celsius is not a number (0/0), which can't be kept")
    ) { try await session.dispatch(Thermometer.Measure(celsius: .nan)) }
    let refused = await #expect(throws: DispatchError.self) {
      try await session.dispatch(Odd(number: 1))
    }
    #expect(
      refused?.description == "the payload doesn't fit thermometer/measure: 'celsius' is missing "
        + "(number); there is no field 'number'")
    let fault = await #expect(throws: DispatchError.self) {
      try await session.dispatch(Thermometer.Note.remove(at: 9))
    }
    #expect(fault?.description.contains("no such note") == true)
    #expect(try await session.state(Thermometer.State.self).celsius == 20)
  }

  @Test func `a state of another shape is put aside`() async throws {
    let (_, host, _) = try await opened()
    let name = ModuleName(literal: "thermometer")
    let session = try await host.session(
      restoring: SavedState(
        slices: ["thermometer": ["celsius": "warm"]], versions: [name: 1], startedModules: [name]))
    #expect(try await session.state(Thermometer.State.self).celsius == 20)
    #expect(await host.keptSlices(of: session.id).map(\.module.text) == ["thermometer"])
  }

  // MARK: Features that can't be modules

  private struct Misnamed: Feature {
    var name: String { "two words" }
    var body: some Registrations {}
  }
  private struct Unkept: Feature {
    struct State: FeatureState { var odds = Double.nan }
    var body: some Registrations {}
  }
  struct Loose: TypedAction { static var type: Text { "loose" } }
  private struct Untyped: Feature {
    var body: some Registrations { Effect { (_: Loose, _) in } }
  }
  private struct Foreign: Feature {
    struct State: FeatureState {}
    var body: some Registrations { Reducer("a/b") { (_: inout Thermometer.State) in } }
  }
  private struct Twin: Feature {
    struct One: TypedAction {
      var a: Int
      static var type: Text { "twin/x" }
    }
    struct Two: TypedAction {
      var b: Int
      static var type: Text { "twin/x" }
    }
    var body: some Registrations {
      Effect { (_: One, _) in }
      Effect { (_: Two, _) in }
    }
  }
  private struct Double2: Feature {
    var body: some Registrations {
      OnStart { _ in }
      OnStart { _ in }
    }
  }
  private struct Lost: Feature {
    var body: some Registrations { Route("/a/*/b") { _ in Screen(title: "") } }
  }
  private struct Renamed: Feature {
    struct Go: TypedAction {}
    var name: String { "other" }
    var body: some Registrations { Effect { (_: Go, _) in } }
  }
  private struct Doubled: Feature {
    var body: some Registrations {
      Command("sum") { (_: Value, _) in 1 }
      Command("sum") { (_: Value, _) in 2 }
    }
  }
  private struct Derived: Feature {
    struct State: FeatureState { var count = 0 }
    var body: some Registrations { Derivation(.toggle, of: ["count"]) }
  }
  private struct Timeless: Feature {
    var body: some Registrations { Schedule(Action("timeless/x")) }
  }

  static let problems: [(any Feature, String)] = [
    (Misnamed(), "'two words' can't be the name of a feature"),
    (Unkept(), "the state of unkept can't be kept: odds is not a number"),
    (Untyped(), "'loose' in untyped can't be the type of an action"),
    (Foreign(), "reducer a/b of foreign takes the state Thermometer.State: take the feature's own"),
    (Twin(), "two types in twin are the payload of twin/x"),
    (Double2(), "double2 registers on_start twice"),
    (Doubled(), "doubled registers command sum twice"),
    (Derived(), "a Derivation of derived can't be made: toggle is for booleans"),
    (Lost(), "'/a/*/b' in lost is no pattern of a route"),
    (Renamed(), "the action renamed/go is declared in other, and has another name"),
    (Timeless(), "a Schedule in timeless is nil"),
    (Thermometer(), "there is a module thermometer already"),
  ]

  @Test func `a feature that can't be a module says why`() async throws {
    let (_, host, _) = try await opened()
    for (feature, message) in Self.problems {
      let error = await #expect(throws: HostError.self) { try await host.add(feature) }
      #expect(error.map { "\($0)" }?.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func `a feature takes the place of another with its name`() async throws {
    struct Newer: Feature {
      struct State: FeatureState { var celsius = 0.0; var notes: [String] = [] }
      var name: String { "thermometer" }
      var version: Int64 { 2 }
      var body: some Registrations {
        Migration { old, _ in try ValueEncoder().encode(["celsius": old["celsius"]]) }
      }
    }
    let (_, host, session) = try await opened()
    try await session.dispatch(Thermometer.Measure(celsius: 3))
    let failure = await #expect(throws: HostError.self) { try await host.replace(Newer()) }
    #expect(failure.map { "\($0)" }?.contains("the state doesn't fit its shape") == true)
    #expect(try await session.state(Thermometer.State.self).celsius == 3)
  }
}
