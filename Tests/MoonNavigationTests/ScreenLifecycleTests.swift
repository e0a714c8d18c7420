import MoonNavigation
import MoonValues
import Testing

struct ScreenLifecycleTests {
  @Test(arguments: LifecycleCase.all)
  func `events come in the order of the kind of transition`(item: LifecycleCase) throws {
    var tree = try NavigationTree(item.root)
    var transition = Transition(from: NavigationTree(), to: tree)
    for operation in item.operations {
      transition = try tree.applying(NavigationAction(operation))
      tree = transition.tree
    }
    let summary = transition.events.map { "\($0.screen.id) \($0.stage.rawValue)" }
    #expect(summary == item.events)
    #expect(transition.unloaded.map(\.id.string) == item.unloaded)
    #expect(transition.events.allSatisfy { $0.windowID == "main" })
  }

  @Test func `a screen's whole life has six stages`() throws {
    var tree = try NavigationTree(.stack("s"))
    var stages: [LifecycleStage] = []
    var operations: [NavigationAction.Operation] = [.push(.named("a")), .set(nil)]
    while !operations.isEmpty {
      let transition = try tree.applying(NavigationAction(operations.removeFirst()))
      stages += transition.events.map(\.stage)
      tree = transition.tree
    }
    #expect(stages == LifecycleStage.allCases)
  }

  @Test func `a screen that goes is shown as it was, one that comes as it is`() throws {
    let tree = try NavigationTree(.stack("s", of: "ab"))
    let other = try NavigationTree(
      .stack("s", [Screen(id: "a", kind: "other")]))
    let events = Transition(from: tree, to: other).events
    #expect(events.first { $0.screen.id == "b" }?.screen == .named("b"))
    #expect(events.first { $0.screen.id == "a" }?.screen.kind == "other")
  }

  @Test func `restoring loads again what was loaded and shows what was shown`() throws {
    let first = try NavigationTree(.stack("s", of: "a"))
    let saved = try first.applying(NavigationAction(.push(.named("b")))).tree
    let restored = try NavigationTree(saved.value)
    let transition = Transition(from: NavigationTree(), to: restored)
    #expect(
      transition.events.map { "\($0.screen.id) \($0.stage.rawValue)" } == [
        "a load", "a did_load", "b load", "b did_load", "b will_appear", "b did_appear",
      ])
    #expect(transition.tree == saved)
  }

  @Test func `each window has its own shown screen`() throws {
    let tree = try NavigationTree(windows: [
      NavigationWindow(id: "left", root: .screen("a")),
      NavigationWindow(id: "right", root: .stack("s", of: "b")),
    ])
    #expect(tree.visibleScreens.map(\.id) == ["a", "b"])
    let pushed = try tree.applying(NavigationAction(.push(.named("c")), window: "right"))
    #expect(Set(pushed.events.map(\.windowID)) == ["right"])
    #expect(pushed.tree.keyWindowID == "left")
    let closed = try pushed.tree.applying(NavigationAction(.close(window: "left")))
    #expect(closed.completions.map(\.summary) == ["focus left→right", "close left 0"])
    #expect(closed.events.map(\.stage) == [.willDisappear, .didDisappear])
    #expect(closed.unloaded.map(\.id) == ["a"])
    #expect(closed.tree.keyWindowID == "right")
  }

  @Test func `a screen made again in its place stays on`() throws {
    let tree = try NavigationTree(.stack("s", of: "ab"))
    var screen = Screen.named("b")
    screen.owner = ScreenOwner(module: "counter", generation: 4)
    screen.isPlaceholder = true
    let transition = try tree.applying(NavigationAction(.update(screen)))
    #expect(transition.completions.map(\.summary) == ["update b"])
    #expect(transition.events.isEmpty && transition.unloaded.isEmpty)
    #expect(transition.tree.topScreen == screen)
  }
}

/// A last operation and the events it causes.
struct LifecycleCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let root: NavigationNode
  let operations: [NavigationAction.Operation]
  let events: [String]
  let unloaded: [String]

  init(
    _ name: String, _ root: NavigationNode, _ operations: [NavigationAction.Operation],
    _ events: [String], unloaded: [String] = []
  ) {
    testDescription = name
    self.root = root
    self.operations = operations
    self.events = events
    self.unloaded = unloaded
  }

  static let all: [LifecycleCase] = [
    LifecycleCase(
      "push", .stack("s", of: "a"), [.push(.named("b"))],
      [
        "b load", "b did_load", "a will_disappear", "b will_appear", "a did_disappear",
        "b did_appear",
      ]),
    LifecycleCase(
      "pop", .stack("s", of: "a"), [.push(.named("b")), .pop()],
      ["b will_disappear", "a will_appear", "b did_disappear", "a did_appear"],
      unloaded: ["b"]),
    LifecycleCase(
      "pop to a screen that was never shown", .stack("s", of: "ab"), [.pop()],
      [
        "a load", "a did_load", "b will_disappear", "a will_appear", "b did_disappear",
        "a did_appear",
      ], unloaded: ["b"]),
    LifecycleCase(
      "only the last of a new stack appears", .stack("s", of: "a"),
      [.setNavigation([.named("b"), .named("c")])],
      [
        "c load", "c did_load", "a will_disappear", "c will_appear", "a did_disappear",
        "c did_appear",
      ], unloaded: ["a"]),
    LifecycleCase(
      "a change below the top stays unnoticed", .stack("s", of: "abc"),
      [.setNavigation([.named("z"), .named("c")])], []),
    LifecycleCase(
      "present", .stack("s", of: "a"), [.present(.screen("m"))],
      [
        "m load", "m did_load", "a will_disappear", "m will_appear", "m did_appear",
        "a did_disappear",
      ]),
    LifecycleCase(
      "dismiss", .stack("s", of: "a"), [.present(.screen("m")), .dismiss()],
      ["m will_disappear", "a will_appear", "a did_appear", "m did_disappear"],
      unloaded: ["m"]),
    LifecycleCase(
      "what lies between isn't shown when two are dismissed", .screen("a"),
      [.present(.screen("m")), .present(.screen("n")), .dismiss(count: 2)],
      ["n will_disappear", "a will_appear", "a did_appear", "n did_disappear"],
      unloaded: ["m", "n"]),
    LifecycleCase(
      "push in what is presented", .screen("a"),
      [.present(.stack("s", of: "m")), .push(.named("n"))],
      [
        "n load", "n did_load", "m will_disappear", "n will_appear", "m did_disappear",
        "n did_appear",
      ]),
    LifecycleCase(
      "another tab", .tabs(of: "ab"), [.selectTabAt(1)],
      [
        "b load", "b did_load", "b will_appear", "a will_disappear", "a did_disappear",
        "b did_appear",
      ]),
    LifecycleCase(
      "a tab that was shown before isn't loaded again", .tabs(of: "ab"),
      [.selectTabAt(1), .selectTabAt(0)],
      ["a will_appear", "b will_disappear", "b did_disappear", "a did_appear"]),
    LifecycleCase(
      "a tab that isn't selected stays unnoticed", .tabs(of: "ab"), [.insertTab(.screen("c"))],
      []),
    LifecycleCase(
      "a tab that was shown and goes", .tabs(of: "ab"), [.selectTabAt(1), .removeTab("a")], [],
      unloaded: ["a"]),
    LifecycleCase(
      "the screens of another tab's stack", .tabs("t", [.stack("s", of: "ab"), .screen("x")]),
      [.selectTab("x")],
      [
        "x load", "x did_load", "x will_appear", "b will_disappear", "b did_disappear",
        "x did_appear",
      ]),
    LifecycleCase(
      "a modal of a tab waits while another tab is shown",
      .tabs("t", [.screen("a"), .screen("x")]), [.present(.screen("m"), on: "x")], []),
    LifecycleCase(
      "a tab with a modal shows the modal", .tabs("t", [.screen("a"), .screen("x")]),
      [.present(.screen("m"), on: "x"), .selectTab("x")],
      [
        "m load", "m did_load", "m will_appear", "a will_disappear", "a did_disappear",
        "m did_appear",
      ]),
    LifecycleCase(
      "another root", .screen("a"), [.set(.tabs(of: "bc"))],
      [
        "b load", "b did_load", "a will_disappear", "b will_appear", "a did_disappear",
        "b did_appear",
      ], unloaded: ["a"]),
    LifecycleCase(
      "no root", .screen("a"), [.set(nil)], ["a will_disappear", "a did_disappear"],
      unloaded: ["a"]),
    LifecycleCase(
      "both columns of a split view", .stack("s", of: "x"), [.set(.split(of: "a", "b"))],
      [
        "a load", "a did_load", "b load", "b did_load", "x will_disappear", "a will_appear",
        "b will_appear", "x did_disappear", "a did_appear", "b did_appear",
      ], unloaded: ["x"]),
    LifecycleCase(
      "the other column, which is shown already", .split(of: "a", "b"),
      [.selectColumn(.detail)], []),
    LifecycleCase(
      "another detail beside the list", .split(of: "a", "b"), [.showDetail(.named("c"))],
      [
        "c load", "c did_load", "b will_disappear", "c will_appear", "b did_disappear",
        "c did_appear",
      ], unloaded: ["b"]),
    LifecycleCase(
      "a step in one column leaves the other alone", .split(of: "a", "b"), [.push(.named("c"))],
      [
        "c load", "c did_load", "a will_disappear", "c will_appear", "a did_disappear",
        "c did_appear",
      ]),
    LifecycleCase(
      "a column that goes for want of room", .split(of: "a", "b"), [.collapse()],
      ["b will_disappear", "b did_disappear"]),
    LifecycleCase(
      "a column that returns", .split(of: "a", "b"), [.collapse(), .expand()],
      ["b will_appear", "b did_appear"]),
    LifecycleCase(
      "the other column of a collapsed split view, as in a stack",
      .split(of: "a", "b", selected: .detail, isCollapsed: true), [.back],
      [
        "a load", "a did_load", "b will_disappear", "a will_appear", "b did_disappear",
        "a did_appear",
      ]),
    LifecycleCase(
      "a modal covers both columns", .split(of: "a", "b"), [.present(.screen("m"))],
      [
        "m load", "m did_load", "a will_disappear", "b will_disappear", "m will_appear",
        "m did_appear", "a did_disappear", "b did_disappear",
      ]),
    LifecycleCase(
      "selecting the selected tab", .tabs(of: "ab"), [.selectTabAt(0)], []),
  ]
}
