import MoonNavigation
import MoonValues
import Testing

struct TreeDrawingTests {
  @Test func `tabs, stacks and modals are drawn as branches`() throws {
    let modal = NavigationNode.stack("m", of: "xy")
    let tree = try NavigationTree(
      windows: [
        NavigationWindow(
          id: "main",
          root: .tabs(
            "tabs",
            [
              NavigationNode(
                .stack(
                  id: "s", items: [.screen("list"), .screen("detail", presenting: modal)])),
              .screen("settings"),
            ])),
        NavigationWindow(id: "other"),
      ])
    #expect(
      tree.drawing == [
        "window main (key)",
        "└─ tabs ▸1",
        "   ├─ stack s  list › detail",
        "   │  └─ detail presents stack  x › y*",
        "   └─ settings",
        "window other  hidden",
      ])
  }

  @Test(arguments: [
    (NavigationNode.stack("s"), ["└─ stack s  empty*"]),
    (.tabs("t"), ["└─ tabs t  empty*"]),
    (.screen("a", presenting: .screen("b")), ["└─ a", "   └─ a presents b*"]),
    (NavigationNode(Screen(id: "s7", kind: "detail")), ["└─ detail#s7*"]),
    (NavigationNode(Screen(id: "s7")), ["└─ s7*"]),
    (NavigationNode(Screen(id: "detail-12", kind: "detail")), ["└─ detail-12*"]),
    (NavigationNode(Screen(id: "detail-x", kind: "detail")), ["└─ detail#detail-x*"]),
    (NavigationNode(Screen(id: "detail-", kind: "detail")), ["└─ detail#detail-*"]),
    (.stack("stack"), ["└─ stack  empty*"]),
    (.stack("stack-2"), ["└─ stack-2  empty*"]),
    (
      .tabs("t", [.stack("shop", of: "a"), .stack("stack-2"), .stack("stack", of: "b")]),
      ["└─ tabs ▸1", "   ├─ stack shop  a*", "   ├─ stack-2  empty", "   └─ stack  b"]
    ),
    (
      .split("split", master: .stack("list", of: "a"), detail: .screen("b"), selected: .detail),
      ["└─ split ▸detail", "   ├─ stack list  a", "   └─ b*"]
    ),
    (
      .split("mail", master: .screen("a"), detail: .stack("stack-2"), isCollapsed: true),
      ["└─ split mail ▸master  collapsed", "   ├─ a*", "   └─ stack-2  empty"]
    ),
    (
      NavigationNode(.stack(id: "s", items: [.screen("a")]), presented: .screen("m")),
      ["└─ stack  a", "   └─ s presents m*"]
    ),
    (.screen("a\u{1B}[2J\nb\u{202E}"), ["└─ a\u{FFFD}[2J\u{FFFD}b\u{FFFD}*"]),
    (
      .screen(Text(String(repeating: "x", count: 90))),
      ["└─ \(String(repeating: "x", count: NavigationTree.drawnNameLengthMax))…*"]
    ),
    (
      .stack("s", of: "abcdefghijklmnop"),
      ["└─ stack  … (4 more) › e › f › g › h › i › j › k › l › m › n › o › p*"]
    ),
  ])
  func `a root is drawn in plain lines`(root: NavigationNode, lines: [String]) throws {
    #expect(try NavigationTree(root).drawing == ["window main"] + lines)
  }

  @Test func `a placeholder is marked`() throws {
    var screen = Screen.named("a")
    screen.isPlaceholder = true
    #expect(try NavigationTree(NavigationNode(screen)).drawing.last == "└─ a?*")
  }
}
