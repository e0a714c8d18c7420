import Logging
import MoonTestSupport
import Moonwire
import Testing

/// A feature whose parts dispatch several typed actions.
private struct Purse: Feature {
  struct State: FeatureState {
    var coins = 0
    var bills = 0
    /// The total after each change of the coins.
    var totals: [Int] = []
  }
  enum Put: TypedAction {
    case coins(Int), bills(Int)
    static let examples: [Put] = [.coins(1), .bills(1)]
  }
  struct Note: TypedAction { var total: Int }
  struct Weigh: TypedAction { var grams: Double }
  /// Names one of the ways to put in a coin and a bill.
  struct Pay: TypedAction { var way: String }
  struct Fail: TypedAction { var way: String }
  struct Swap: TypedAction {}
  struct Twice: TypedAction {}

  var body: some Registrations {
    Reducer { (state: inout State, action: Put) in
      switch action {
      case .coins(let count): state.coins += count
      case .bills(let count):
        if count < 0 { throw Refusal("there are no such bills") }
        state.bills += count
      }
    }
    Reducer { (state: inout State, action: Note) in state.totals.append(action.total) }
    Reducer { (_: inout State, _: Weigh) in }
    Observer(\State.coins) { _, _, context in
      let state = try context.value(at: "purse", as: State.self)
      try context.dispatch(Note(total: state.coins + state.bills))
    }
    Middleware { (action: Pay, context) in
      guard action.way == "middleware" else { return .pass }
      try context.dispatch([Put.coins(1), Put.bills(1)])
      try context.dispatch([any TypedAction]())
      return .drop
    }
    Middleware { (_: Swap, _) in try .replace([Put.coins(5), Put.bills(5)]) }
    AfterReduce { (_: Twice, _) in [Put.coins(2), Put.bills(2)] }
    Effect { (action: Pay, context) in
      switch action.way {
      case "typed": try await context.dispatch([Put.coins(1), Put.bills(1)])
      case "data":
        try await context.dispatch([
          Action("purse/coins", ["value": 1]), Action("purse/bills", ["value": 1]),
        ])
      default: try await context.dispatch([any TypedAction]())
      }
    }
    Effect { (action: Fail, context) in
      let last: any TypedAction = action.way == "nan" ? Weigh(grams: .nan) : Put.bills(-1)
      try await context.dispatch([Put.coins(100), last])
    }
    Observer(\State.bills) { new, _, context in
      if new > 50 { try context.dispatch([Put.coins(100), Weigh(grams: .nan)]) }
    }
  }
}

/// Arrays of typed actions, wherever code of a feature dispatches.
@Suite(.timeLimit(.minutes(1))) struct SeveralActionsTests {
  private static func session() async throws -> HostSession {
    var options = HostOptions()
    options.logger.logLevel = .critical
    let host = try await Host(nil, features: [Purse()], options: options, isWatching: false)
    return try await host.session()
  }

  @Test(arguments: ["middleware", "typed", "data"])
  func `several actions are carried out as one`(way: String) async throws {
    let session = try await Self.session()
    try await session.dispatch(Purse.Pay(way: way), awaitingEffects: true)
    let state = try await session.state(Purse.State.self)
    // The observer has seen both changes at once.
    #expect(state.coins == 1 && state.bills == 1 && state.totals == [2])
    await session.host.close()
  }

  @Test func `several actions take the place of one, or follow from it`() async throws {
    let session = try await Self.session()
    try await session.dispatch(Purse.Swap())
    try await session.dispatch(Purse.Twice())
    let state = try await session.state(Purse.State.self)
    #expect(state.coins == 7 && state.bills == 7)
    await session.host.close()
  }

  @Test func `none of several actions is carried out if one can't be`() async throws {
    let session = try await Self.session()
    let first = try await session.state
    for way in ["nan", "refused"] {
      _ = try? await session.dispatch(Purse.Fail(way: way), awaitingEffects: true)
      #expect(try await session.state == first)
    }
    await #expect(
      throws: DispatchError.unencodable(
        type: "purse/weigh", reason: "grams is not a number (0/0), which can't be kept")
    ) { try await session.dispatch([Purse.Put.coins(1), Purse.Weigh(grams: .nan)]) }
    #expect(try await session.state == first)
    let events = await session.events
    try await session.dispatch(Purse.Put.bills(51))
    #expect(try await session.state(Purse.State.self).coins == 0)
    await session.host.close()
    var faults: [String] = []
    for await case .fault(_, let fault) in events { faults.append("\(fault)") }
    #expect(faults.count == 1 && faults[0].contains("the payload of purse/weigh can't be kept"))
  }

  @Test func `an array that is empty does nothing`() async throws {
    let session = try await Self.session()
    let first = try await session.state
    try await session.dispatch(Purse.Pay(way: "none"), awaitingEffects: true)
    #expect(try await session.state == first)
    await session.host.close()
  }
}
