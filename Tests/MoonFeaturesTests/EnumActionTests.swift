import Logging
import MoonTestSupport
import Moonwire
import Testing

/// A feature whose actions are the cases of one type, with payloads of many kinds.
private struct Lamp: Feature {
  enum Mode: String, Codable, CaseIterable, Sendable { case steady, blinking }
  struct Color: Codable, Sendable, Equatable {
    var red: Int
    var name: String?
  }
  /// A type that decodes only what it knows, so that no fields are found by asking it.
  struct Code: Codable, Sendable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.hasPrefix("#") else { throw Refusal("a code begins with #") }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
  struct State: FeatureState { var last = "" }
  enum Change: TypedAction {
    case dim(to: Double, over: Int?), paint(Color), blinkFast(mode: Mode, rooms: [String])
    case move(Int, Int), mark(with: Code), off

    static let examples: [Change] = [
      .dim(to: 1, over: nil), .paint(Color(red: 1)), .blinkFast(mode: .steady, rooms: []),
      .move(1, 2), .mark(with: Code("#1")), .off,
    ]
  }
  /// The first example can't be a payload.
  enum Odd: TypedAction {
    case weigh(Double), lift(by: Int)
    static var type: Text { "lamp/*" }
    static let examples: [Odd] = [.weigh(.nan), .lift(by: 1)]
  }

  var body: some Registrations {
    Reducer { (state: inout State, action: Change) in state.last = "\(action)" }
    Reducer { (state: inout State, action: Odd) in state.last = "\(action)" }
  }
}

/// Actions that are the cases of an enumeration.
@Suite(.timeLimit(.minutes(1))) struct EnumActionTests {
  private static func opened() async throws -> (Host, HostSession) {
    var options = HostOptions()
    options.logger.logLevel = .critical
    let host = try await Host(nil, features: [Lamp()], options: options, isWatching: false)
    return (host, try await host.session())
  }

  @Test func `each case has a schema, whatever its example leaves out`() async throws {
    let (host, _) = try await Self.opened()
    let schemas = await host.actionInfos().map { info in
      let fields = info.schema?.fields.map { "\($0.name)\($0.isOptional ? "?" : "") \($0.type)" }
      return "\(info.type): \(fields?.joined(separator: ", ") ?? "unknown")"
    }
    #expect(
      schemas == [
        "lamp/blink_fast: mode steady|blinking, rooms string[]",
        "lamp/dim: over? integer, to number",
        "lamp/lift: by integer",
        "lamp/mark: with string",
        "lamp/move: _0 integer, _1 integer",
        "lamp/off: ",
        "lamp/paint: value {name = string?, red = integer}",
      ])
    await host.close()
  }

  @Test func `a payload is checked against the schema of its case`() async throws {
    let (host, session) = try await Self.opened()
    let wrong: [(Action, String)] = [
      (
        Action("lamp/blink_fast", ["mode": "slow", "rooms": []]),
        "the payload doesn't fit lamp/blink_fast: 'mode' must be steady|blinking, not \"slow\""
      ),
      (
        Action("lamp/dim", ["over": 2]),
        "the payload doesn't fit lamp/dim: 'to' is missing (number)"
      ),
      (
        Action("lamp/off", ["value": 1]),
        "the payload doesn't fit lamp/off: there is no field 'value'"
      ),
    ]
    for (action, message) in wrong {
      let error = await #expect(throws: DispatchError.self) { try await session.dispatch(action) }
      #expect(error.map { "\($0)" } == message)
    }
    #expect(try await session.state(Lamp.State.self).last.isEmpty)
    try await session.dispatch(Action("lamp/dim", ["to": 2]))
    #expect(try await session.state(Lamp.State.self).last == "dim(to: 2.0, over: nil)")
    try await session.dispatch(Lamp.Change.move(3, 4))
    #expect(try await session.state(Lamp.State.self).last == "move(3, 4)")
    await host.close()
  }

  @Test func `an example that can't be a payload is a case without a schema`() async throws {
    let (host, session) = try await Self.opened()
    try await session.dispatch(Lamp.Odd.lift(by: 2))
    let error = await #expect(throws: DispatchError.self) {
      try await session.dispatch(Lamp.Odd.weigh(1))
    }
    #expect(error.map { "\($0)" }?.contains("Odd.examples has no case 'weigh'") == true)
    await host.close()
  }
}
