import MoonTerminal
import Testing

@testable import MoonPrompt
@testable import Moonwire

struct MessagesTests {
  private func text(_ report: Report) -> String { report.text(.plain) }

  @Test func `a fault shows its place, lines, way, cause and what to do`() {
    let source = Array("one\n  two\n\tthree\nfour\nfive\nsix".utf8)
    let place = SourcePlace(file: "counter.lua", line: 3)
    var action = Action("counter/add", meta: Action.Meta(cause: .prompt, parent: 4))
    action.meta.id = 7
    let fault = Fault(
      module: "counter", generation: 3, registration: Registration(.reducer, "counter/add"),
      reason: .raised("attempt to perform arithmetic on a nil value (field 'by')"), place: place,
      frames: [
        .init(place: place, function: "local 'inner'"),
        .init(place: SourcePlace(file: "lib/text.lua", line: 9), function: ""),
      ], excerpt: Excerpt(of: source, line: 3), action: action)
    #expect(
      text(DispatchError.fault(fault).report) == """
        error: reducer counter/add of module counter (generation 3) failed
          counter.lua:3: attempt to perform arithmetic on a nil value (field 'by')
            1 | one
            2 |   two
          > 3 |   three
            4 | four
            5 | five
          called from  lib/text.lua:9
          caused by    counter/add #7 from the prompt, after #4
          help         'by' isn't there: is it in the module's `state`, or optional in the payload?
        """)
  }

  static let dispatches: [(DispatchError, String)] = [
    (
      .unknownType("counter/ad", nearest: "counter/add"),
      """
      error: no module knows the action counter/ad
        help         did you mean counter/add?
      """
    ),
    (
      .unknownType("x/y", nearest: nil),
      """
      error: no module knows the action x/y
        help         :actions lists those that are known
      """
    ),
    (
      .malformedType("a b"),
      """
      error: 'a b' can't be the type of an action
        help         write a module's name, a slash and the action's name, as in counter/add
      """
    ),
    (.interrupted, "note: stopped: the actions that still waited were dropped"),
    (.noSession, "error: the session is closed"),
    (
      .queueTooLarge(maxBytes: 64 << 20),
      """
      error: with this one the actions that wait would have more than 64 MB: it wasn't taken
        help         an action says what happened: does its payload carry a state?
      """
    ),
    (
      .queueFull(max: 5),
      """
      error: 5 actions are waiting already: this one wasn't taken
        help         does a module answer each action with more than one?
      """
    ),
    (
      .tooManyNavigations(chain: ["nav/route /x (native)", "nav/route /x (m observer)"], max: 5),
      """
      error: one action has led to more than 5 navigations: this one wasn't carried out
        chain        nav/route /x (native)
                     nav/route /x (m observer)
        help         does something navigate whenever the navigation changes?
      """
    ),
    (
      .readOnlyView,
      """
      error: a view only shows: it can't dispatch
        help         let a person's tap dispatch
      """
    ),
  ]

  @Test(arguments: dispatches)
  func `a refused action says why and what to do`(error: DispatchError, expected: String) {
    #expect(text(error.report) == expected)
  }

  @Test func `a payload's problems are all told`() throws {
    let by = try #require(PayloadSchema.Field(name: "by", type: "integer"))
    let schema = PayloadSchema(fields: [by])
    let error = DispatchError.invalidPayload(
      type: "a/b", problems: schema.problems(in: ["bye": 1]), declared: schema)
    #expect(
      text(error.report) == """
        error: the payload doesn't fit a/b
          problem      'by' is missing (integer)
                       there is no field 'bye'; did you mean 'by'?
          takes        by (integer)
        """)
  }

  @Test func `a suspension names who failed, how often and what to do`() throws {
    let name = try #require(ModuleName("counter"))
    #expect(
      text(DispatchError.suspended(name).report) == """
        error: module counter is suspended: it failed too often, and takes no actions
          help         mend its file and save it, or :resume counter
        """)
    func sentence(_ registration: Registration, _ count: Int) -> String {
      let fault = Fault(
        module: "counter", generation: 1, registration: registration, reason: .raised("no"),
        place: nil, frames: [])
      return fault.suspensionReport(of: name, count: count).headline
    }
    #expect(
      sentence(Registration(.observer, "todo.items"), 20)
        == "module counter is suspended: 20 of its last 50 calls failed, "
        + "the latest in its observer todo.items")
    #expect(
      sentence(Registration(.onStart, "on_start"), 1)
        == "module counter is suspended: 1 of its last 50 calls failed, "
        + "the latest in its on_start")
  }

  static let reloads: [(SliceChange, String)] = [
    (.kept, "counter 1→2: +2 reducers −1 observer, state kept, 1.8 ms"),
    (
      .filled([Path(), Path()]),
      "counter 1→2: +2 reducers −1 observer, state kept +2 new keys, 1.8 ms"
    ),
    (
      .migrated(from: 1, to: 2),
      "counter 1→2: +2 reducers −1 observer, state v1→v2 migrated, 1.8 ms"
    ),
    (
      .putAside(from: 1, to: 2),
      "counter 1→2: +2 reducers −1 observer, state v1 put aside, v2 starts over: there is no"
        + " migrate, 1.8 ms"
    ),
    (
      .putAside(from: 2, to: 1),
      "counter 1→2: +2 reducers −1 observer, state v2 put aside, v1 starts over: the version went"
        + " back, 1.8 ms"
    ),
    (
      .swapped(from: 2, to: 1),
      "counter 1→2: +2 reducers −1 observer, state v1 is back, v2 put aside, 1.8 ms"
    ),
    (.none, "counter 1→2: +2 reducers −1 observer, 1.8 ms"),
  ]

  @Test(arguments: reloads)
  func `a reload is one line`(change: SliceChange, expected: String) throws {
    let name = try #require(ModuleName("counter"))
    let reload = Reload(
      module: name, from: 1, to: 2,
      added: [Registration(.reducer, "a"), Registration(.reducer, "b")],
      removed: [Registration(.observer, "c")], state: change, duration: .microseconds(1_790))
    #expect(ModuleText.reload(reload, .plain) == expected)
  }

  @Test func `a reload tells of the tasks that it has ended and begun again, each name once`()
    throws
  {
    var reload = Reload(
      module: try #require(ModuleName("feed")), from: 1, to: 2, added: [], removed: [],
      state: .kept, duration: .microseconds(1_790))
    reload.endedTasks = ["feed/long", "feed/long", "user/*"].map { Registration(.effect, $0) }
    reload.begunTasks = [Registration(.effect, "feed/watch")]
    #expect(
      ModuleText.reload(reload, .plain)
        == "feed 1→2: state kept, 3 tasks ended: long, user/*, 1 task begins again: watch, 1.8 ms")
    reload.endedTasks = (1...9).map { Registration(.effect, "feed/e\($0)") }
    #expect(
      ModuleText.reload(reload, .plain).contains("9 tasks ended: e1, e2, e3, e4, 5 more"))
  }

  @Test func `texts of scripts can't steer the terminal`() {
    let report = Report(
      "a\u{1B}[2J", at: SourcePlace(file: "x\u{7}.lua"), detail: "b\r\nc",
      rows: [.init("help", "d\u{9B}")])
    let shown = text(report)
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!shown.unicodeScalars.contains("\u{9B}"))
  }

  @Test func `endless texts and tracebacks are cut`() {
    let report = Report(
      String(repeating: "x", count: 100_000),
      rows: (0..<200).map { .init("called from", "f\($0)") })
    #expect(text(report).utf8.count < 4_000)
    #expect(text(report).hasSuffix("… 190 more"))
  }

  @Test(arguments: [
    (Duration.microseconds(40), "0.0 ms"), (.microseconds(1_849), "1.8 ms"),
    (.milliseconds(25), "25 ms"), (.milliseconds(2_100), "2.1 s"),
  ])
  func `times are short`(duration: Duration, expected: String) {
    #expect(Wording.time(duration) == expected)
  }
}
