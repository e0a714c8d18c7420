import Testing

@testable import MoonPrompt
@testable import Moonwire

/// The trail of screens on one line.
struct TrailTextTests {
  private static func screen(_ id: Text, _ kind: Text = "", isPlaceholder: Bool = false)
    -> NavigationNode
  {
    var node = NavigationNode(.init(id: id, kind: kind))
    if isPlaceholder, case .screen(var screen) = node.content {
      screen.isPlaceholder = true
      node.content = .screen(screen)
    }
    return node
  }

  private static func stack(_ items: [NavigationNode], id: Text = "stack") -> NavigationNode {
    NavigationNode(.stack(id: id, items: NavigationItems(items)))
  }

  static let trails: [(NavigationNode?, String)] = [
    (nil, "hidden"), (stack([]), "empty"), (.tabs("tabs"), "no tabs"),
    (screen("list"), "list*"),
    (stack([screen("list"), screen("d-2", "detail")]), "list › detail*"),
    (stack([screen("list", isPlaceholder: true), screen("d")]), "list? › d*"),
    (
      NavigationNode(
        .stack(id: "stack", items: [screen("list"), screen("detail")]),
        presented: screen("login")), "list › detail presents login*"
    ),
    (
      NavigationNode(.stack(id: "stack", items: []), presented: screen("login")), "login*"
    ),
    (
      .tabs(
        "tabs", [stack([screen("a")], id: "first"), stack([screen("b"), screen("c")])],
        selectedIndex: 1),
      "▸2 b › c*"
    ),
    (stack((1...9).map { screen(Text("s\($0)")) }), "… › s4 › s5 › s6 › s7 › s8 › s9*"),
    (stack([screen("a\u{1B}[2J\nb")]), "a\\u{1B}[2J b*"),
  ]

  @Test(arguments: trails)
  func `it leads to what is on top`(root: NavigationNode?, expected: String) throws {
    let tree = try NavigationTree(windows: [NavigationWindow(id: "main", root: root)])
    #expect(TrailText(tree: tree).text(columns: 80) == expected)
  }

  @Test func `of several windows the key window is named`() throws {
    let tree = try NavigationTree(
      windows: [
        NavigationWindow(id: "main", root: Self.screen("a")),
        NavigationWindow(id: "side", root: Self.screen("b")),
      ], keyWindowID: "side")
    #expect(TrailText(tree: tree).text(columns: 80) == "side: b*")
    #expect(TrailText(tree: NavigationTree()).text(columns: 80) == "no window")
  }

  @Test func `a long one keeps its end`() throws {
    let root = Self.stack([Self.screen("overview"), Self.screen("settings")])
    let tree = try NavigationTree(windows: [NavigationWindow(id: "main", root: root)])
    #expect(TrailText(tree: tree).text(columns: 13) == "… › settings*")
    #expect(TrailText(tree: tree).text(columns: 5) == "…ngs*")
  }
}
