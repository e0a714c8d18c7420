import MoonNavigation
import MoonValues
import Testing

struct CompletionValuesTests {
  static let window = NavigationWindow(id: "w", root: .screen("a"))
  static let selection = TabSelection(previous: 1, current: 0)
  static let changes: [NavigationChange] = [
    .start(window, at: 0), .restore(window, at: 0), .close(window, at: 2),
    .focus("a", previous: "b"),
    .set(nil, previous: .screen("a"), window: "w"), .set(.screen("a"), previous: nil, window: "w"),
    .present(.screen("a"), on: "b"), .dismiss(.screen("a", presenting: .screen("c")), from: "b"),
    .push(.screen("a"), in: "s"), .pop(.screen("a"), in: "s"),
    .setNavigation([.screen("a")], previous: [], in: "s"),
    .insertTab(.screen("a"), at: 1, in: "t", selection: selection),
    .removeTab(.stack("s", of: "a"), at: 0, in: "t", selection: selection),
    .setTabs([], previous: [.screen("a")], in: "t", selection: selection),
    .selectTab("a", in: "t", selection: selection),
    .setColumn(.detail, .stack("s", of: "a"), previous: .screen("b"), in: "v"),
    .selectColumn(.master, in: "v"), .collapse("v"), .expand("v"),
    .update(.named("a"), previous: Screen(id: "a")),
  ]

  @Test(arguments: changes)
  func `every completion reads back from its value`(change: NavigationChange) throws {
    for origin in NavigationOrigin.allCases {
      for motion in [NavigationAction.Motion.animated, .immediate] {
        let completion = NavigationCompletion(change, motion: motion, origin: origin)
        let payload = completion.payload
        #expect(try NavigationCompletion(type: completion.type, payload: payload) == completion)
        #expect(completion.value == ["type": .string(completion.type), "payload": payload])
        var again = change
        if case .restore(let window, let index) = change { again = .start(window, at: index) }
        #expect(completion.reversed().reversed(origin: origin).change == again)
        #expect(completion.reversed().origin == .timeline)
      }
    }
  }

  @Test func `every type has a change`() {
    let types = Set(Self.changes.map { NavigationCompletion($0).type })
    #expect(types == Set(NavigationCompletion.types))
    #expect(types.isDisjoint(with: NavigationAction.types))
  }

  @Test(
    arguments: [
      ("nav/push", [:], .unknownType("nav/push")),
      ("nav/did_push", .null, .wrongKind(Path(), expected: .map)),
      ("nav/did_push", ["screen": ["id": "a"]], .missing(Path([.key("stack")]))),
      (
        "nav/did_start", ["window": ["id": "a"], "at": "first"],
        .wrongKind(Path([.key("at")]), expected: .integer)
      ),
      (
        "nav/did_select_tab", ["tab": "a", "tabs": "t", "selected": 1],
        .missing(Path([.key("previous_selected")]))
      ),
      (
        "nav/did_select_column", ["column": "left", "split": "v"],
        .unknownWord("left", Path([.key("column")]))
      ),
      (
        "nav/did_focus", ["window": "a", "previous": "b", "next": "c"],
        .unknownField(Path([.key("next")]))
      ),
    ] as [(Text, Value, NavigationValueError)])
  func `a malformed completion is refused with the path of the fault`(
    type: Text, payload: Value, error: NavigationValueError
  ) {
    #expect(throws: error) { try NavigationCompletion(type: type, payload: payload) }
  }
}
