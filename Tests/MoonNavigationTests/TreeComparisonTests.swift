import MoonNavigation
import MoonValues
import Testing

struct TreeComparisonTests {
  @Test(arguments: [
    (
      NavigationNode.tabs("t", [.stack("s", of: "ab"), .screen("x")]),
      NavigationNode.tabs("t", [.stack("s", of: "a"), .screen("x"), .screen("b")]),
      ["pop b", "insert b 2"]
    ),
    (
      .tabs("t", [.stack("s", of: "a"), .screen("x"), .screen("b")]),
      .tabs("t", [.stack("s", of: "ab"), .screen("x")]),
      // If it were pushed before the tab is removed, the tree would have it twice.
      ["set t→t"]
    ),
    (
      .stack("s", of: "ab", presenting: .screen("m")), .stack("s", of: "abm"),
      ["dismiss m from b", "push m"]
    ),
    (
      .stack("s", of: "ab"), .stack("s", of: "a", presenting: .screen("m")),
      // Remaining nodes are compared before added and removed ones.
      ["present m on a", "pop b"]
    ),
    (
      .screen("a", presenting: .screen("m")), .screen("a", presenting: .stack("m", of: "x")),
      ["dismiss m from a", "present m on a"]
    ),
    (
      .tabs("t", [.screen("a"), .screen("b")]), .tabs("t", [.stack("a", of: "x"), .screen("b")]),
      ["tabs [a,b]→[a,b]"]
    ),
    (
      .screen("a", presenting: .stack("s", of: "x")),
      .screen("a", presenting: .stack("s", of: "xy")), ["push y"]
    ),
    (.stack("s", of: "a"), .tabs(of: "a"), ["set s→tabs"]),
  ])
  func `two changes are told one by one where they can be`(
    old: NavigationNode, new: NavigationNode, summaries: [String]
  ) throws {
    let transition = Transition(from: try NavigationTree(old), to: try NavigationTree(new))
    #expect(transition.completions.map(\.summary) == summaries)
    #expect(transition.completions.allSatisfy { $0.origin == .timeline })
  }

  @Test func `windows that changed their order are started anew`() throws {
    let windows = [
      NavigationWindow(id: "a", root: .screen("x")), NavigationWindow(id: "b"),
      NavigationWindow(id: "c"),
    ]
    let old = try NavigationTree(windows: windows, keyWindowID: "b")
    let new = try NavigationTree(windows: windows.reversed(), keyWindowID: "b")
    let transition = Transition(from: old, to: new)
    #expect(
      transition.completions.map(\.summary) == [
        "focus b→a", "close c 2", "close b 1", "close a 0", "start c 0", "start b 1", "start a 2",
        "focus c→b",
      ])
    #expect(transition.events.isEmpty)
  }

  @Test func `a screen that goes to another window stays on`() throws {
    let left = NavigationWindow(id: "left", root: .stack("l", of: "a"))
    let right = NavigationWindow(id: "right", root: .stack("r", of: "b"))
    let old = try NavigationTree(windows: [left, right])
    let new = try NavigationTree(windows: [
      NavigationWindow(id: "left", root: .stack("l", of: "b")),
      NavigationWindow(id: "right", root: .stack("r", of: "a")),
    ])
    let transition = Transition(from: old, to: new)
    #expect(transition.events.isEmpty && transition.unloaded.isEmpty)
    var tree = old
    for completion in transition.completions { tree = try tree.applying(completion) }
    #expect(tree == new)
  }
}
