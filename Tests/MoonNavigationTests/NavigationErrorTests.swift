import MoonNavigation
import MoonValues
import Testing

struct NavigationErrorTests {
  @Test(arguments: try ErrorCase.all)
  func `what can't be done is named and changes nothing`(item: ErrorCase) {
    let tree = item.tree
    #expect(throws: item.error) { try tree.applying(item.action) }
    #expect(tree == item.tree)
    #expect(!item.error.description.isEmpty)
  }

  @Test func `windows have a limit`() throws {
    var tree = NavigationTree()
    for index in 0..<NavigationTree.windowCountMax {
      tree = try tree.applying(NavigationAction(.start(window: Text("w\(index)")))).tree
    }
    #expect(throws: NavigationError.limitExceeded(.windows, max: NavigationTree.windowCountMax)) {
      try tree.applying(NavigationAction(.start(window: "more")))
    }
  }

  @Test func `a module that pushes forever is stopped`() throws {
    let screens = (0..<(NavigationTree.nodeCountMax - 1)).map { Screen(id: Text("s\($0)")) }
    let tree = try NavigationTree(.stack("stack", screens))
    #expect(throws: NavigationError.limitExceeded(.nodes, max: NavigationTree.nodeCountMax)) {
      try tree.applying(NavigationAction(.push(Screen(id: "more"))))
    }
  }

  @Test func `tabs have a limit`() throws {
    let items = (0..<NavigationTree.tabCountMax).map { NavigationNode(Screen(id: Text("s\($0)"))) }
    let tree = try NavigationTree(.tabs("tabs", items))
    #expect(throws: NavigationError.limitExceeded(.tabs, max: NavigationTree.tabCountMax)) {
      try tree.applying(NavigationAction(.insertTab(.screen("more"))))
    }
  }

  @Test func `a module that presents forever is stopped before its value nests too deep`() throws {
    var tree = try NavigationTree(.screen("s0"))
    var deep = Value.int(1)
    for _ in 0..<NavigationTree.contentDepthMax { deep = [deep] }
    var error: NavigationError?
    for index in 1...NavigationTree.depthMax where error == nil {
      var screen = Screen(id: Text("s\(index)"))
      screen.body = deep
      do throws(NavigationError) {
        tree = try tree.applying(NavigationAction(.present(NavigationNode(screen)))).tree
      } catch let caught {
        error = caught
      }
    }
    #expect(error == .limitExceeded(.depth, max: NavigationTree.depthMax))
    #expect(tree.screens.count > 30)
    #expect(Self.depth(tree.value) < Value.depthMax)
    #expect(try NavigationTree(tree.value) == tree)
  }

  @Test func `a screen that nests too deep is refused`() throws {
    var deep = Value.int(1)
    for _ in 0...NavigationTree.contentDepthMax { deep = ["next": deep] }
    let tree = try NavigationTree(.stack("s", of: "a"))
    var screen = Screen(id: "b")
    screen.props = deep
    let error = NavigationError.limitExceeded(.content, max: NavigationTree.contentDepthMax)
    #expect(throws: error) { try tree.applying(NavigationAction(.push(screen))) }
    #expect(throws: error) { try NavigationTree(NavigationNode(screen)) }
    let completion = NavigationCompletion(.push(NavigationNode(screen), in: "s"))
    #expect(throws: error) { try tree.applying(completion) }
  }

  @Test func `a key window that isn't there makes no tree`() {
    #expect(throws: NavigationError.invalidKeyWindow("other")) {
      try NavigationTree(windows: [NavigationWindow(id: "main")], keyWindowID: "other")
    }
    #expect(throws: NavigationError.invalidKeyWindow("other")) {
      try NavigationTree(windows: [], keyWindowID: "other")
    }
  }

  @Test(arguments: [
    NavigationChange.start(NavigationWindow(id: "w"), at: 2),
    .close(NavigationWindow(id: "main"), at: 0), .focus("nowhere", previous: "main"),
    .focus("main", previous: "nowhere"), .set(nil, previous: nil, window: "main"),
    .set(nil, previous: nil, window: "nowhere"), .present(.screen("c"), on: "nobody"),
    .dismiss(.screen("c"), from: "a"), .push(.screen("c"), in: "a"), .push(.screen("c"), in: "t"),
    .pop(.screen("a"), in: "s"), .setNavigation([], previous: [], in: "s"),
    .insertTab(.screen("c"), at: 3, in: "t", selection: TabSelection(previous: 0, current: 0)),
    .insertTab(.screen("c"), at: 0, in: "t", selection: TabSelection(previous: 1, current: 0)),
    .removeTab(.screen("a"), at: 0, in: "t", selection: TabSelection(previous: 0, current: 0)),
    .setTabs([], previous: [], in: "t", selection: TabSelection(previous: 0, current: 0)),
    .selectTab("x", in: "t", selection: TabSelection(previous: 1, current: 0)),
    .setColumn(.master, .screen("c"), previous: .screen("a"), in: "t"),
    .selectColumn(.master, in: "t"), .collapse("t"), .expand("nobody"),
    .update(.named("a"), previous: Screen(id: "a")),
    .update(.named("nobody"), previous: .named("nobody")),
  ])
  func `a completion of another tree is refused`(change: NavigationChange) throws {
    let tree = try NavigationTree(.tabs("t", [.stack("s", of: "ab"), .screen("x")]))
    let error = #expect(throws: NavigationError.self) {
      try tree.applying(NavigationCompletion(change))
    }
    guard case .completionMismatch(let type, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(NavigationCompletion(change).type == type)
  }

  @Test func `a completion that would make no tree is refused`() throws {
    let tree = try NavigationTree(.tabs("t", [.stack("s", of: "ab"), .screen("x")]))
    #expect(throws: NavigationError.duplicateID("x", holder: .screen)) {
      try tree.applying(NavigationCompletion(.push(.screen("x"), in: "s")))
    }
    #expect(throws: NavigationError.invalidSelection(7, count: 2, tabs: "t")) {
      try tree.applying(
        NavigationCompletion(
          .selectTab("x", in: "t", selection: TabSelection(previous: 0, current: 7))))
    }
  }

  private static func depth(_ value: Value) -> Int {
    switch value {
    case .list(let list): 1 + (list.map(depth).max() ?? 0)
    case .map(let map): 1 + (map.map { depth($0.value) }.max() ?? 0)
    default: 0
    }
  }
}

/// An action that can't be carried out on a tree.
struct ErrorCase: CustomTestStringConvertible, Sendable {
  let tree: NavigationTree
  let action: NavigationAction
  let error: NavigationError

  var testDescription: String { "\(action.type): \(error)" }

  init(
    _ tree: NavigationTree, _ operation: NavigationAction.Operation, window: Text? = nil,
    _ error: NavigationError
  ) {
    self.tree = tree
    action = NavigationAction(operation, window: window)
    self.error = error
  }

  static var all: [ErrorCase] {
    get throws {
      let none = NavigationTree()
      let empty = try NavigationTree(Optional<NavigationNode>.none)
      let screen = try NavigationTree(.screen("a"))
      let stack = try NavigationTree(.stack("s", of: "abc"))
      let tabs = try NavigationTree(.tabs("t", [.stack("s", of: "ab"), .screen("x")]))
      let modal = try NavigationTree(.stack("s", of: "ab", presenting: .screen("m")))
      // A modal screen on a tab that isn't shown.
      let hidden = try NavigationTree(
        .tabs("t", [.screen("a"), .screen("x", presenting: .screen("m"))]))
      let covered = try NavigationTree(
        .tabs("t", [.screen("x", presenting: .screen("m")), .screen("a")]))
      let split = try NavigationTree(
        .split("v", master: .screen("a"), detail: .stack("d", of: "b")))
      let coveredSplit = try split.applying(NavigationAction(.present(.screen("m")))).tree
      return [
        ErrorCase(stack, .selectColumn(.detail), .noSplit(window: "main", top: "c")),
        ErrorCase(stack, .collapse(), .noSplit(window: "main", top: "c")),
        ErrorCase(stack, .expand("s"), .notASplit("s")),
        ErrorCase(stack, .collapse("nobody"), .unknownID("nobody")),
        ErrorCase(split, .push(.named("z")), .bareColumn(window: "main", top: "a")),
        ErrorCase(split, .back, .nothingBelow(window: "main")),
        ErrorCase(split, .setColumn(.detail, .tabs("t")), .misplaced("t", in: "v")),
        ErrorCase(split, .setColumn(.detail, .screen("a")), .duplicateID("a", holder: .screen)),
        ErrorCase(
          coveredSplit, .selectColumn(.detail), .coveredSplit(window: "main", top: "m")),
        ErrorCase(none, .push(.named("b")), .noWindow),
        ErrorCase(none, .set(.screen("b")), .noWindow),
        ErrorCase(none, .close(window: "w"), .unknownWindow("w")),
        ErrorCase(screen, .focus(window: "w"), .unknownWindow("w")),
        ErrorCase(screen, .push(.named("b")), window: "w", .unknownWindow("w")),
        ErrorCase(screen, .start(window: "main"), .duplicateID("main", holder: .window)),
        ErrorCase(screen, .start(window: "a"), .duplicateID("a", holder: .screen)),
        ErrorCase(empty, .push(.named("b")), .emptyWindow("main")),
        ErrorCase(empty, .present(.screen("b")), .emptyWindow("main")),
        ErrorCase(empty, .back, .emptyWindow("main")),
        ErrorCase(empty, .dismissToRoot, .emptyWindow("main")),
        ErrorCase(screen, .push(.named("b")), .noStack(window: "main", top: "a")),
        ErrorCase(modal, .push(.named("c")), .noStack(window: "main", top: "m")),
        ErrorCase(screen, .pop(), .noStack(window: "main", top: "a")),
        ErrorCase(screen, .popTo("a"), .noStack(window: "main", top: "a")),
        ErrorCase(screen, .popToRoot, .noStack(window: "main", top: "a")),
        ErrorCase(screen, .setNavigation([]), .noStack(window: "main", top: "a")),
        ErrorCase(screen, .replace(.named("b")), .noStack(window: "main", top: "a")),
        ErrorCase(modal, .root(.named("c")), .noStack(window: "main", top: "m")),
        ErrorCase(stack, .setTabs([]), .noTabs(window: "main", top: "c")),
        ErrorCase(stack, .selectTabAt(0), .noTabs(window: "main", top: "c")),
        ErrorCase(stack, .removeTab("a"), .noTabs(window: "main", top: "c")),
        ErrorCase(covered, .selectTabAt(0), .coveredTabs(window: "main", top: "m")),
        ErrorCase(stack, .popTo("nobody"), .unknownID("nobody")),
        ErrorCase(stack, .dismissTo("nobody"), .unknownID("nobody")),
        ErrorCase(stack, .present(.screen("z"), on: "nobody"), .unknownID("nobody")),
        ErrorCase(stack, .backTo(.id("nobody")), .unknownID("nobody")),
        ErrorCase(stack, .update(.named("nobody")), .unknownID("nobody")),
        ErrorCase(stack, .backTo(.id("s")), .notAScreen("s")),
        ErrorCase(stack, .update(.named("s")), .notAScreen("s")),
        ErrorCase(tabs, .popTo("x"), .notInStack("x", stack: "s")),
        ErrorCase(tabs, .selectTab("a"), .notATab("a", known: ["s", "x"])),
        ErrorCase(tabs, .backTo(.id("x")), .notBelow("x", window: "main")),
        ErrorCase(hidden, .dismissTo("m"), .notBelow("m", window: "main")),
        ErrorCase(stack, .backTo(.url("/x")), .noURLBelow("/x", window: "main")),
        ErrorCase(try NavigationTree(.stack("s")), .pop(), .nothingToPop(stack: "s")),
        ErrorCase(screen, .dismiss(), .nothingToDismiss(window: "main")),
        ErrorCase(screen, .back, .nothingBelow(window: "main")),
        ErrorCase(
          tabs, .insertTab(.screen("z"), at: .index(-1)),
          .indexOutOfRange(-1, count: 2, tabs: "t")),
        ErrorCase(tabs, .selectTabAt(2), .indexOutOfRange(2, count: 2, tabs: "t")),
        ErrorCase(stack, .selectTabAt(.max), .noTabs(window: "main", top: "c")),
        ErrorCase(tabs, .selectTabAt(.max), .indexOutOfRange(.max, count: 2, tabs: "t")),
        ErrorCase(stack, .pop(count: 0), .invalidCount(0)),
        ErrorCase(modal, .dismiss(count: .min), .invalidCount(.min)),
        ErrorCase(stack, .push(.named("a")), .duplicateID("a", holder: .screen)),
        ErrorCase(stack, .push(.named("main")), .duplicateID("main", holder: .window)),
        ErrorCase(stack, .present(.stack("n", of: "xx")), .duplicateID("x", holder: .screen)),
        ErrorCase(hidden, .present(.screen("z"), on: "x"), .alreadyPresenting("x")),
        ErrorCase(
          stack, .set(.tabs("t", [.tabs("u", [])])), .misplaced("u", in: "t")),
        ErrorCase(
          stack,
          .present(NavigationNode(.stack(id: "n", items: [.stack("o", of: "x")]))),
          .misplaced("o", in: "n")),
        ErrorCase(
          stack, .set(.tabs(of: "ab", selected: 2)),
          .invalidSelection(2, count: 2, tabs: "tabs")),
        ErrorCase(
          tabs, .insertTab(.tabs("u", [])), .misplaced("u", in: "t")),
      ]
    }
  }
}
