import MoonNavigation
import MoonValues
import Testing

struct NavigationTreeTests {
  @Test func `the top is in what is presented, in the selected tab, at the end of the stack`()
    throws
  {
    // As VISPER resolves it: tabs [_, stack [_, _, parent that shows a child], _].
    let parent = NavigationNode.screen("parent", presenting: .screen("child"))
    let stack = NavigationNode(.stack(id: "s", items: [.screen("x"), .screen("y"), parent]))
    let tree = try NavigationTree(
      .tabs("t", [.screen("a"), stack, .screen("b")], selectedIndex: 1))
    #expect(tree.topScreen?.id == "child")
    #expect(tree.path(to: "child")?.description == "windows[1].root.tabs[2].stack[3].presented")
  }

  @Test(arguments: [NavigationNode.stack("empty"), .tabs("empty")])
  func `an empty container is its own top and shows no screen`(root: NavigationNode) throws {
    let tree = try NavigationTree(root)
    #expect(tree.topNode(ofWindow: "main") == root)
    #expect(tree.topScreen == nil)
    #expect(tree.visibleScreens.isEmpty)
  }

  @Test func `chains of any depth are followed`() throws {
    var node = NavigationNode.screen("s0")
    for index in 1...30 { node = .screen(Text("s\(index)"), presenting: node) }
    let tree = try NavigationTree(node)
    #expect(tree.topScreen?.id == "s0")
    #expect(tree.loadedIDs == ["s0"])
    let dismissed = try tree.applying(NavigationAction(.dismissToRoot))
    #expect(dismissed.completions.count == 30)
    #expect(dismissed.completions.first?.summary == "dismiss s0 from s1")
    #expect(dismissed.tree.screens.map(\.id) == ["s30"])
  }

  @Test func `what isn't there isn't found`() throws {
    let tree = try NavigationTree(.stack("s", of: "ab"))
    #expect(tree.screen("s") == nil)
    #expect(tree.node("s")?.items.count == 2)
    #expect(tree.screen("nobody") == nil)
    #expect(tree.path(to: "nobody") == nil)
    #expect(tree.path(to: "main") == nil)
    #expect(tree.windowID(of: "b") == "main")
    #expect(tree.windowID(of: "nobody") == nil)
    #expect(tree.topScreen(ofWindow: "nowhere") == nil)
  }

  @Test func `actions are done in the window they name`() throws {
    let tree = try NavigationTree(windows: [
      NavigationWindow(id: "left", root: .stack("l", of: "a")),
      NavigationWindow(id: "right", root: .stack("r", of: "b")),
    ])
    let pushed = try tree.applying(NavigationAction(.push(.named("c")), window: "right")).tree
    #expect(pushed.node("r")?.items.map(\.id) == ["b", "c"])
    #expect(pushed.topScreen?.id == "a")
    let set = try pushed.applying(NavigationAction(.set(.screen("d")), window: "right"))
    #expect(set.completions.map(\.summary) == ["set r→d", "focus left→right"])
    let focused = try pushed.applying(NavigationAction(.focus(window: "right")))
    #expect(focused.completions.map(\.summary) == ["focus left→right"])
    #expect(focused.events.isEmpty)
    #expect(focused.tree.topScreen?.id == "c")
    // Going back to a screen finds it where it is.
    let back = try pushed.applying(NavigationAction(.backTo(.id("b"))))
    #expect(back.completions.map(\.summary) == ["pop c"])
  }

  @Test func `screens that stay in a stack keep what they present`() throws {
    let tree = try NavigationTree(
      NavigationNode(
        .stack(id: "s", items: [.screen("a", presenting: .screen("m")), .screen("b")])))
    let set = try tree.applying(NavigationAction(.setNavigation([.named("a")])))
    #expect(set.tree.topScreen?.id == "m")
    let back = try tree.applying(NavigationAction(.backTo(.id("a"))))
    #expect(back.completions.map(\.summary) == ["dismiss m from a", "pop b"])
    #expect(back.tree.topScreen?.id == "a")
  }

  @Test func `the nearest screen with a URL is gone back to`() throws {
    let screens = [Screen.named("a", url: "/x"), .named("b", url: "/x"), .named("c", url: "/y")]
    var node = NavigationNode.stack("s", screens)
    var items = node.items
    items[2].presented = .screen("m", presenting: .stack("n", of: "pq"))
    node.content = .stack(id: "s", items: items)
    let tree = try NavigationTree(node)
    let near = try tree.applying(NavigationAction(.backTo(.url("/x"))))
    #expect(near.tree.drawing.last == "└─ stack  a › b*")
    #expect(
      near.completions.map(\.summary) == ["dismiss n from m", "dismiss m from c", "pop c"])
    let nearer = try tree.applying(NavigationAction(.backTo(.url("/y"))))
    #expect(nearer.tree.drawing.last == "└─ stack  a › b › c*")
    let here = try nearer.tree.applying(NavigationAction(.backTo(.url("/y"))))
    #expect(here.completions.isEmpty)
  }

  @Test func `what a container presents is in the way back to its screens`() throws {
    let stack = NavigationNode(
      .stack(id: "s", items: [.screen("a"), .screen("b", presenting: .screen("m")), .screen("c")]))
    let tabs = NavigationNode(
      .tabs(id: "t", items: [stack, .screen("x")], selectedIndex: 0), presented: .screen("n"))
    let tree = try NavigationTree(tabs)
    #expect(tree.topScreen?.id == "n")
    for (id, drawing) in [
      ("n", tree.drawing),
      (
        "c",
        [
          "window main", "└─ tabs ▸1", "   ├─ stack s  a › b › c*", "   │  └─ b presents m",
          "   └─ x",
        ]
      ),
      (
        "m",
        ["window main", "└─ tabs ▸1", "   ├─ stack s  a › b", "   │  └─ b presents m*", "   └─ x"]
      ),
      ("b", ["window main", "└─ tabs ▸1", "   ├─ stack s  a › b*", "   └─ x"]),
      ("a", ["window main", "└─ tabs ▸1", "   ├─ stack s  a*", "   └─ x"]),
    ] {
      let back = try tree.applying(NavigationAction(.backTo(.id(Text(id)))))
      #expect(back.tree.drawing == drawing)
      #expect(back.tree.topScreen?.id == Text(id))
    }
    #expect(throws: NavigationError.notBelow("x", window: "main")) {
      try tree.applying(NavigationAction(.backTo(.id("x"))))
    }
    let shown = try tree.applying(NavigationAction(.dismissTo("a")))
    #expect(shown.completions.map(\.summary) == ["dismiss n from t"])
  }

  @Test func `a hidden window gets a root by what would be shown in it`() throws {
    let tree = try NavigationTree(Optional<NavigationNode>.none)
    for operation in [
      NavigationAction.Operation.show(.named("a")), .root(.named("a")),
      .backTo(.screen(.named("a"))),
    ] {
      #expect(try tree.applying(NavigationAction(operation)).tree.topScreen?.id == "a")
    }
  }
}
