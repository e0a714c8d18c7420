import MoonTestSupport
import Moonwire
import Testing

/// The 53 behaviours that Redux DevTools tests of its lifted store (`instrument.spec.ts`), and ours.
///
/// There, 0 is the number of the first state and actions count from 1, as here; the numbers begin
/// anew after a commit there, and never here.
@Suite(.timeLimit(.minutes(2))) struct TimelineConformanceTests {
  enum Fate: String {
    /// Ours is the same.
    case same
    /// Ours differs, for the stated reason.
    case other
  }

  /// A step of a case.
  enum Move {
    /// Dispatches `m/…`.
    case act(String)
    /// Dispatches `m/…`, which is refused.
    case refused(String)
    /// Changes the timeline.
    case edit(TimelineEdit)
    /// Changes the timeline, which is refused.
    case noEdit(TimelineEdit, TimelineError)
    /// Goes to a place.
    case go(TimelinePlace)
    /// Goes to a place, which is refused.
    case noWay(TimelinePlace)
    /// Replaces the reducers.
    case reload(String)
    /// Expects the number.
    case n(Int)
    /// Expects the numbers of the actions.
    case ids([Int64])
    /// Expects the numbers of those that are left out.
    case skipped([Int64])
    /// Expects the numbers of those that failed.
    case failed([Int64])
    /// Expects the place of the shown state.
    case at(Int)
    /// Expects the number of calls of reducers since the start.
    case calls(Int)
  }

  struct Case: CustomTestStringConvertible {
    let number: Int
    let fate: Fate
    /// The behaviour there, and the reason if ours differs.
    let says: String
    var length = 1_000
    let moves: [Move]

    var testDescription: String { "\(number) (\(fate.rawValue)): \(says)" }
  }

  static let plain = """
    inc = function(s) s.n = s.n + 1 end, dec = function(s) s.n = s.n - 1 end,
    mul = function(s) s.n = s.n * 2 end,
    """
  static let double = """
    inc = function(s) s.n = s.n + 2 end, dec = function(s) s.n = s.n - 2 end,
    mul = function(s) s.n = s.n * 2 end,
    """
  /// `dec` fails.
  static let buggy = """
    inc = function(s) s.n = s.n + 1 end, dec = function(s) error "no" end,
    mul = function(s) s.n = s.n * 2 end,
    """
  private static let incDecInc: [Move] = [.act("inc"), .act("dec"), .act("inc"), .n(1)]
  private static let incs: [Move] = [.act("inc"), .act("inc"), .act("inc"), .n(3)]
  private static func actions(_ types: [String]) -> [Action] {
    types.map { Action(Text("m/\($0)")) }
  }

  static let walking: [Case] = [
    Case(
      number: 1, fate: .same, says: "performs actions",
      moves: [.n(0), .act("inc"), .n(1), .act("inc"), .n(2)]),
    Case(
      number: 3, fate: .same, says: "rolls back to the last committed state",
      moves: [
        .act("inc"), .act("inc"), .edit(.commit), .n(2), .act("inc"), .act("inc"), .n(4),
        .edit(.revert), .n(2), .act("dec"), .n(1), .edit(.revert), .n(2),
      ]),
    Case(
      number: 4, fate: .same, says: "resets to the initial state",
      moves: [
        .act("inc"), .edit(.commit), .n(1), .act("inc"), .n(2), .edit(.revert), .n(1), .act("inc"),
        .n(2), .edit(.reset), .n(0),
      ]),
    Case(
      number: 5, fate: .same, says: "toggles an action",
      moves: incDecInc + [.edit(.toggle(2)), .n(2), .edit(.toggle(2)), .n(1)]),
    Case(
      number: 6, fate: .same, says: "sets several actions active or not",
      moves: incs + [
        .edit(.skip(1..<3, true)), .n(1), .skipped([1, 2]), .edit(.skip(0..<2, false)), .n(2),
        .edit(.skip(0..<1, false)), .n(2), .skipped([2]),
      ]),
    Case(
      number: 7, fate: .same, says: "sweeps what is left out",
      moves: [
        .act("inc"), .act("dec"), .act("inc"), .act("inc"), .n(2), .ids([1, 2, 3, 4]),
        .edit(.toggle(2)), .n(3), .skipped([2]), .edit(.sweep), .n(3), .ids([1, 3, 4]),
        .skipped([]), .at(3),
      ]),
    Case(
      number: 8, fate: .other,
      says: "jumps to a state; there, an action in the past is added at the end and not shown. Ours"
        + " is refused, since a person would not see what was done",
      moves: incDecInc + [
        .go(.position(0)), .n(0), .go(.position(1)), .n(1), .go(.position(2)), .n(0),
        .refused("inc"), .n(0), .go(.present), .act("inc"), .n(2),
      ]),
    Case(
      number: 9, fate: .other,
      says: "jumps to an action; there, an unknown one changes nothing. Ours says so",
      moves: incDecInc + [
        .go(.position(0)), .n(0), .go(.action(1)), .n(1), .noWay(.action(10)), .n(1),
      ]),
    Case(
      number: 10, fate: .other,
      says: "reorders actions; there, a number beyond the last means the end, and an unknown one"
        + " nothing. Ours has its own word for the end, and refuses unknown ones",
      moves: [
        .act("inc"), .act("dec"), .act("inc"), .act("mul"), .n(2), .edit(.move(4, before: 1)),
        .ids([4, 1, 2, 3]), .n(1), .edit(.move(4, before: 1)), .ids([4, 1, 2, 3]), .n(1),
        .edit(.move(4, before: 2)), .ids([1, 4, 2, 3]), .n(2), .edit(.move(1, before: nil)),
        .ids([4, 2, 3, 1]), .n(1), .noEdit(.move(10, before: 1), .noStep(10)),
        .noEdit(.move(1, before: 0), .noStep(0)), .ids([4, 2, 3, 1]), .n(1),
        .edit(.move(1, before: 4)), .ids([1, 4, 2, 3]), .n(2),
      ]),
    Case(
      number: 11, fate: .other,
      says: "new reducers compute all states again. Ours do when asked, since a reload must not"
        + " change what happened",
      moves: incDecInc + [.reload(double), .n(1), .edit(.recompute), .n(2)]),
    Case(
      number: 12, fate: .same, says: "or they don't, and take over from the state as it is",
      moves: incDecInc + [.reload(double), .n(1), .act("inc"), .n(3)]),
    Case(
      number: 13, fate: .other,
      says: "catches errors; there, all later actions count as interrupted. Ours are carried out,"
        + " since a failed action changes nothing",
      moves: incDecInc + [.reload(buggy), .edit(.recompute), .failed([2]), .n(2)]),
    Case(
      number: 14, fate: .other,
      says: "refuses an action without a type. In Swift there is none; ours refuses a type that"
        + " isn't one",
      moves: [.refused(""), .ids([]), .n(0)]),
    Case(
      number: 15, fate: .other,
      says: "refuses an action that isn't plain data. In Swift there is none; ours refuses a type"
        + " that nothing knows",
      moves: [.refused("class"), .ids([]), .n(0)]),
    Case(
      number: 16, fate: .same, says: "shows the last state that was defined after one that isn't",
      moves: [
        .act("inc"), .act("inc"), .reload(buggy), .refused("dec"), .n(2), .ids([1, 2]),
      ]),
    Case(
      number: 17, fate: .same, says: "doesn't compute states again at each action",
      moves: [.calls(0), .act("inc"), .act("inc"), .act("inc"), .calls(3)]),
    Case(
      number: 18, fate: .same, says: "doesn't compute earlier states again when toggling",
      moves: incs + [
        .calls(3), .edit(.toggle(3)), .calls(3), .edit(.toggle(3)), .calls(4), .edit(.toggle(2)),
        .calls(5), .edit(.toggle(2)), .calls(7), .edit(.toggle(1)), .calls(9), .edit(.toggle(2)),
        .calls(10), .edit(.toggle(3)), .calls(10), .edit(.toggle(1)), .calls(11),
        .edit(.toggle(3)), .calls(12), .edit(.toggle(2)), .calls(14),
      ]),
    Case(
      number: 19, fate: .same, says: "doesn't compute states again when jumping",
      moves: incs + [
        .calls(3), .go(.position(0)), .go(.position(1)), .go(.position(3)), .calls(3),
      ]),
    Case(
      number: 20, fate: .other,
      says:
        "doesn't compute states again for a monitor's actions. Ours has no monitors; locking and"
        + " pausing compute none",
      moves: incs + [.edit(.lock(true)), .edit(.lock(false)), .edit(.pause(true)), .calls(3)]),
  ]

  static let limiting: [Case] = [
    Case(
      number: 21, fate: .same, says: "commits the earliest action beyond the maximum", length: 2,
      moves: incs + [.ids([2, 3]), .at(2), .go(.position(0)), .n(1)]),
    Case(
      number: 22, fate: .same, says: "forgets that an action is left out once it is committed",
      length: 2,
      moves: [
        .act("inc"), .edit(.toggle(1)), .act("inc"), .skipped([1]), .act("inc"), .skipped([]),
        .ids([2, 3]), .n(2),
      ]),
    Case(
      number: 23, fate: .other,
      says: "keeps an error and what follows beyond the maximum. Ours keeps to its maximum, since"
        + " memory is limited; the error is reported and in the history", length: 2,
      moves: [
        .act("dec"), .act("inc"), .reload(buggy), .edit(.recompute), .failed([1]), .act("inc"),
        .ids([2, 3]), .failed([]),
      ]),
    Case(
      number: 24, fate: .other,
      says: "commits again after new reducers mend the error. Ours never stopped", length: 3,
      moves: [
        .act("dec"), .act("dec"), .reload(buggy), .edit(.recompute), .failed([1, 2]), .n(0),
        .act("inc"), .act("inc"), .ids([2, 3, 4]), .reload(plain), .edit(.recompute),
        .failed([]), .n(1),
      ]),
    Case(
      number: 25, fate: .same, says: "keeps the place when it commits", length: 2,
      moves: [.act("inc"), .act("inc"), .at(2), .act("inc"), .at(2), .n(3)]),
    Case(
      number: 26, fate: .other,
      says: "goes on counting while an error prevents commits. Ours never prevents any, and a"
        + " failed action is no step", length: 2,
      moves: [.reload(buggy), .refused("dec"), .refused("dec"), .refused("dec"), .at(0), .n(0)]),
    Case(
      number: 27, fate: .same, says: "adjusts the place when several actions are committed",
      length: 2, moves: [.act("dec"), .act("dec"), .act("dec"), .act("dec"), .at(2), .n(-4)]),
    Case(
      number: 28, fate: .other,
      says: "keeps the place from going below 0 when actions are committed. Ours commits none while"
        + " an earlier state is shown, since it takes no actions", length: 2,
      moves: [.act("dec"), .act("dec"), .go(.position(0)), .refused("dec"), .at(0), .n(0)]),
    Case(
      number: 29, fate: .other,
      says:
        "has a maximum that may change at any time. Ours is an option of the host, which modules"
        + " can't raise", length: 3,
      moves: incs + [.act("inc"), .ids([2, 3, 4]), .act("inc"), .ids([3, 4, 5]), .n(5)]),
    Case(
      number: 30, fate: .other,
      says: "refuses a maximum below 2. Ours doesn't count the first state, and 0 keeps none",
      length: 0,
      moves: [.act("inc"), .noEdit(.commit, .notKept), .noWay(.position(0)), .n(1)]),
  ]

  static let importing: [Case] = [
    Case(
      number: 40, fate: .same, says: "carries out what is imported",
      moves: [.edit(.replace(actions(["inc", "inc", "inc"]))), .n(3), .ids([1, 2, 3]), .at(3)]),
    Case(
      number: 41, fate: .same, says: "replaces the existing actions by those imported",
      moves: [
        .act("dec"), .act("dec"), .edit(.replace(actions(["inc", "inc", "inc"]))), .n(3),
        .ids([3, 4, 5]),
      ]),
    Case(
      number: 42, fate: .other,
      says:
        "imports states without computing them. Ours always computes them, so that a state can't"
        + " be one that its modules never make",
      moves: [.edit(.replace(actions(["inc"]))), .calls(1), .n(1)]),
    Case(
      number: 44, fate: .same, says: "carries out actions that are imported",
      moves: [.edit(.replace(actions(["inc", "dec", "mul"]))), .n(0), .at(3)]),
    Case(
      number: 45, fate: .same, says: "replaces the existing actions by imported ones",
      moves: [.act("inc"), .edit(.commit), .act("inc"), .edit(.replace(actions(["mul"]))), .n(2)]),
  ]

  static let standing: [Case] = [
    Case(
      number: 47, fate: .other,
      says:
        "locks: actions are ignored, and toggling works. Ours refuses them, so that nobody takes"
        + " them for done",
      moves: [
        .act("inc"), .edit(.lock(true)), .n(1), .refused("inc"), .n(1), .ids([1]),
        .edit(.toggle(1)), .n(0), .edit(.toggle(1)), .n(1), .edit(.lock(false)), .act("inc"),
        .n(2), .ids([1, 2]),
      ]),
    Case(
      number: 48, fate: .other,
      says: "begins locked, and imports nevertheless. Ours is locked by a call",
      moves: [
        .edit(.lock(true)), .refused("inc"), .n(0), .edit(.replace(actions(["inc", "inc"]))),
        .n(2), .edit(.lock(false)), .act("inc"), .n(3),
      ]),
    Case(
      number: 49, fate: .same, says: "pauses: actions are carried out, and aren't steps",
      moves: [
        .act("inc"), .act("inc"), .edit(.pause(true)), .n(2), .ids([]), .act("inc"), .act("inc"),
        .ids([]), .n(4), .edit(.pause(false)), .act("inc"), .act("inc"), .ids([5, 6]), .n(6),
        .edit(.revert), .n(4), .edit(.reset), .n(0),
      ]),
    Case(
      number: 50, fate: .other,
      says: "keeps the steps while paused if one pseudo action stands for what happens. Ours has"
        + " none, since a step is something that was done",
      moves: [
        .act("inc"), .act("inc"), .edit(.pause(true)), .ids([]), .act("inc"), .n(3),
        .edit(.pause(false)), .ids([]), .n(3), .act("inc"), .n(4), .edit(.commit),
        .edit(.pause(true)), .act("inc"), .n(5), .ids([]),
      ]),
  ]

  /// Those that other tests show, or that Swift leaves no room for, with the reason.
  static let elsewhere: [Int: String] = [
    2: "an observable: `observers and streams get the shown states` of TimelineTests",
    31: "no trace by default: an action carries its cause and parent instead, at no cost",
    32: "a trace: the cause and the parent of each action, tested below",
    33: "a trace of three frames: causes have no frames",
    34: "a limit of three frames: as 33", 35: "a limit of five frames: as 33",
    36: "a limit of ten frames: as 33", 37: "engines without captureStackTrace: as 33",
    38: "a trace of one's own: `meta.extra` of an action, tested below",
    39: "a trace within setTimeout: a timer's action has the cause `timer`, see TimerTests",
    43: "imported actions keep their trace: their notes, tested below",
    46: "imported actions get a trace: the notes of new ones, tested below",
    51: "a reducer that isn't a function: ModuleReaderTests",
    52: "a reducer that is a module: ModuleReaderTests",
    53: "two instruments: a session has one timeline",
  ]

  static let cases = walking + limiting + importing + standing

  @Test func `each of the 53 behaviours has its place`() {
    let numbers = Self.cases.map(\.number) + Self.elsewhere.keys
    #expect(numbers.sorted() == Array(1...53))
  }

  @Test(arguments: cases)
  func `a behaviour is as said`(behaviour: Case) async throws {
    let run = try await Run(length: behaviour.length)
    for (index, move) in behaviour.moves.enumerated() {
      try await run.carryOut(move, "\(behaviour.number), move \(index + 1)")
    }
  }

  @Test func `actions that replace others keep their notes, or get new ones`() async throws {
    let run = try await Run(length: 10)
    let noted = Action("m/inc", meta: Action.Meta(cause: .prompt, parent: nil, extra: ["x": 1]))
    try await run.bench.host.carryOut(.replace([noted]), in: run.bench.session)
    let timeline = try #require(await run.bench.host.timeline(of: run.bench.session))
    let step = try #require(timeline.steps.first)
    #expect(step.action.meta.cause == .prompt && step.action.meta.extra["x"] == 1)
    #expect(step.id == 1 && step.action.meta.time == 1000.25)
    try await run.bench.host.carryOut(
      .replace([step.action, Action("m/inc")]), in: run.bench.session)
    let later = try #require(await run.bench.host.timeline(of: run.bench.session)?.steps)
    #expect(later.first?.action == step.action)
    #expect(later.last?.action.meta.cause == .native && later.last?.id == 2)
  }

  /// A session with a module that counts, and another that notes each call of a reducer.
  struct Run {
    let bench: Bench
    private let notes = Notes()

    init(length: Int) async throws {
      var options = Bench.quiet
      options.timeline = Timeline.Limits(countMax: length)
      bench = try await Bench(
        ["m.lua": Self.module(TimelineConformanceTests.plain)], options: options,
        adding: [
          { [notes] in
            try Module("calls", state: [:]) { module in
              module.reducers = ["m/inc", "m/dec", "m/mul"].map { type in
                Reducer(.exact(type)) { _, _ in notes.add("call") }
              }
            }
          }
        ])
    }

    private static func module(_ reducers: String) -> String {
      "return { state = { n = 0 }, reducers = { \(reducers) } }"
    }

    func carryOut(_ move: Move, _ place: Comment) async throws {
      let (host, session) = (bench.host, bench.session)
      let timeline = try #require(await host.timeline(of: session))
      switch move {
      case .act(let type): try await bench.dispatch("m/\(type)")
      case .refused(let type):
        await #expect(throws: DispatchError.self, place) { try await bench.dispatch("m/\(type)") }
      case .edit(let edit): try await host.carryOut(edit, in: session)
      case .noEdit(let edit, let error):
        await #expect(throws: error, place) { try await host.carryOut(edit, in: session) }
      case .go(let goal): try await host.travel(to: goal, in: session)
      case .noWay(let goal):
        await #expect(throws: TimelineError.self, place) {
          try await host.travel(to: goal, in: session)
        }
      case .reload(let reducers):
        try bench.folder.save("m.lua", Self.module(reducers))
        await host.reload()
      case .n(let n): #expect(try await bench.state("m.n") == .int(Int64(n)), place)
      case .ids(let ids): #expect(timeline.steps.map(\.id) == ids, place)
      case .skipped(let ids):
        #expect(timeline.steps.filter(\.isSkipped).map(\.id) == ids, place)
      case .failed(let ids):
        #expect(timeline.steps.filter { $0.error != nil }.map(\.id) == ids, place)
      case .at(let position): #expect(timeline.position == position, place)
      case .calls(let count): #expect(notes.all.count == count, place)
      }
    }
  }
}
