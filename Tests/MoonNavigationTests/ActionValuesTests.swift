import MoonNavigation
import MoonValues
import Testing

struct ActionValuesTests {
  static let operations: [NavigationAction.Operation] = [
    .start(window: "w"), .close(window: "w"), .focus(window: "w"), .set(nil),
    .set(.tabs(of: "ab", selected: 1)), .present(.screen("a")),
    .present(.stack("s", of: "ab"), on: "x"), .dismiss(), .dismiss(count: 3), .dismissTo("a"),
    .dismissToRoot, .setNavigation([]), .setNavigation([.named("a"), .named("b")]),
    .push(.named("a", url: "/a")), .pop(), .pop(count: .max), .popTo("a"), .popToRoot,
    .setTabs([]), .setTabs([.screen("a")]), .insertTab(.screen("a"), at: .first),
    .insertTab(.screen("a"), at: .index(2)), .insertTab(.screen("a"), at: .index(-1)),
    .insertTab(.screen("a")), .removeTab("a"), .selectTab("a"), .selectTabAt(0),
    .selectTabAt(.min), .back, .backTo(.id("a")), .backTo(.url("/a")),
    .backTo(.screen(.named("a"))), .replace(.named("a")), .root(.named("a")), .show(.named("a")),
    .update(.named("a")), .set(.split(of: "ab", "c", selected: .detail, isCollapsed: true)),
    .setColumn(.detail, .screen("a")), .selectColumn(.master), .showDetail(.named("a")),
    .collapse(), .collapse("v"), .expand(), .expand("v"),
  ]

  @Test(arguments: operations)
  func `every action reads back from its value`(operation: NavigationAction.Operation) throws {
    for origin in NavigationOrigin.allCases {
      for motion in [NavigationAction.Motion.animated, .immediate] {
        for window in [nil, "w2"] as [Text?] {
          let action = NavigationAction(
            operation, window: window, motion: motion, origin: origin)
          #expect(NavigationAction.types.contains(action.type))
          guard operation != .selectTabAt(.min) else { continue }
          #expect(try NavigationAction(type: action.type, payload: action.payload) == action)
        }
      }
    }
  }

  @Test func `every type has an operation`() {
    let types = Set(Self.operations.map { NavigationAction($0).type })
    #expect(types == Set(NavigationAction.types))
    #expect(NavigationAction.types.count == types.count)
  }

  @Test func `an action stands in a script as it reads`() throws {
    let action = NavigationAction(.selectTabAt(1), origin: .user)
    #expect(
      action.value == [
        "type": "nav/select_tab",
        "payload": ["index": 2, "animated": false, "origin": "user"],
      ])
    #expect(
      try NavigationAction(type: "nav/push", payload: ["screen": ["id": "a"]])
        == NavigationAction(.push(Screen(id: "a")), motion: .animated))
    #expect(try NavigationAction(type: "nav/pop", payload: .null) == NavigationAction(.pop()))
    #expect(
      try NavigationAction(type: "nav/insert_tab", payload: ["tab": ["id": "a"], "at": 1])
        == NavigationAction(.insertTab(NavigationNode(Screen(id: "a")), at: .index(0))))
  }

  @Test(
    arguments: [
      ("nav/fly", [:], .unknownType("nav/fly")),
      ("nav/did_push", [:], .unknownType("nav/did_push")),
      ("nav/pop", 3, .wrongKind(Path(), expected: .map)),
      ("nav/push", [:], .missing(Path([.key("screen")]))),
      ("nav/push", ["screen": "a"], .wrongKind(Path([.key("screen")]), expected: .map)),
      ("nav/push", ["screen": [:]], .missing(Path([.key("screen"), .key("id")]))),
      (
        "nav/push", ["screen": ["id": "s", "stack": []]],
        .unknownField(Path([.key("screen"), .key("stack")]))
      ),
      ("nav/pop", ["count": "2"], .wrongKind(Path([.key("count")]), expected: .integer)),
      ("nav/pop", ["cuont": 2], .unknownField(Path([.key("cuont")]))),
      ("nav/pop", ["animated": 1], .wrongKind(Path([.key("animated")]), expected: .boolean)),
      ("nav/pop", ["origin": "me"], .unknownWord("me", Path([.key("origin")]))),
      ("nav/select_tab", [:], .notOne(of: ["id", "index"], Path())),
      ("nav/select_tab", ["id": "a", "index": 1], .notOne(of: ["id", "index"], Path())),
      ("nav/select_column", [:], .missing(Path([.key("column")]))),
      ("nav/select_column", ["column": "left"], .unknownWord("left", Path([.key("column")]))),
      (
        "nav/set", ["root": ["id": "v", "master": ["id": "a"]]],
        .missing(Path([.key("root"), .key("detail")]))
      ),
      (
        "nav/set", ["root": ["id": "v", "master": ["id": "a"], "detail": ["id": 1]]],
        .wrongKind(Path([.key("root"), .key("detail"), .key("id")]), expected: .text)
      ),
      ("nav/back_to", ["id": 1, "url": 2], .notOne(of: ["id", "url", "screen"], Path())),
      (
        "nav/insert_tab", ["tab": ["id": "a"], "at": "middle"],
        .unknownWord("middle", Path([.key("at")]))
      ),
      (
        "nav/insert_tab", ["tab": ["id": "a"], "at": true],
        .wrongKind(Path([.key("at")]), expected: .integer)
      ),
      (
        "nav/set_navigation", ["screens": [["id": "a"], 1]],
        .wrongKind(Path([.key("screens"), .index(2)]), expected: .map)
      ),
      (
        "nav/set_tabs", ["tabs": [["id": "s", "stack": [["id": 1]]]]],
        .wrongKind(
          Path([.key("tabs"), .index(1), .key("stack"), .index(1), .key("id")]), expected: .text)
      ),
    ] as [(Text, Value, NavigationValueError)])
  func `a malformed action is refused with the path of the fault`(
    type: Text, payload: Value, error: NavigationValueError
  ) {
    #expect(throws: error) { try NavigationAction(type: type, payload: payload) }
    #expect(!error.description.isEmpty)
  }

  /// Counts and positions come from scripts, and may be any integers.
  @Test(arguments: [.min, .min + 1, -1, 0, 1, 2, 65, .max - 1, .max] as [Int64])
  func `any integer counts or selects something or is an error`(integer: Int64) throws {
    let trees = [
      try NavigationTree(.tabs(of: "abc", selected: 1)),
      try NavigationTree(.stack("s", of: "abc", presenting: .screen("d"))),
      try NavigationTree(.stack("s", of: "abc")),
    ]
    let payloads: [(Text, Value)] = [
      ("nav/pop", ["count": .int(integer)]), ("nav/dismiss", ["count": .int(integer)]),
      ("nav/select_tab", ["index": .int(integer)]),
      ("nav/insert_tab", ["tab": ["id": "new"], "at": .int(integer)]),
    ]
    for (type, payload) in payloads {
      let action = try NavigationAction(type: type, payload: payload)
      for tree in trees {
        do throws(NavigationError) {
          let transition = try tree.applying(action)
          #expect((try? NavigationTree(transition.tree.value)) == transition.tree)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
    let tabs: Value = ["id": "t", "tabs": [["id": "a"]], "selected": .int(integer)]
    let windows: Value = ["windows": [["id": "w", "root": tabs]]]
    #expect((try? NavigationTree(windows)) != nil || integer != 1)
    let completion: Value = [
      "tab": "a", "tabs": "t", "selected": .int(integer), "previous_selected": .int(integer),
    ]
    let read = try NavigationCompletion(type: "nav/did_select_tab", payload: completion)
    for tree in trees { _ = try? tree.applying(read.reversed()) }
    #expect(read.payload.mapValue?.isEmpty == false)
  }
}
