import MoonNavigation
import MoonValues
import Testing

struct SplitTests {
  @Test(arguments: [
    SplitCase("the selected column grows", .split(of: "a", "b"), [.push(.named("c"))], "c"),
    SplitCase(
      "a detail takes the place of the column", .split(of: "a", "bc"),
      [.showDetail(.named("x"))], "x"),
    SplitCase(
      "a detail takes the place of a screen",
      .split("v", master: .screen("a"), detail: .screen("b")), [.showDetail(.named("x"))], "x"),
    SplitCase(
      "without a split view, a detail is shown", .stack("s", of: "a"),
      [.showDetail(.named("x"))], "x"),
    SplitCase(
      "the way back leads through the detail to the master",
      .split(of: "ab", "cd", selected: .detail), [.back, .back], "b"),
    SplitCase(
      "and on through the master", .split(of: "ab", "cd", selected: .detail),
      [.back, .back, .back], "a"),
    SplitCase(
      "the way back leads past an empty detail", .split(of: "a", "", selected: .detail),
      [.back], "a"),
    SplitCase(
      "a screen of the master is below those of the detail",
      .split(of: "ab", "cd", selected: .detail, isCollapsed: true), [.backTo(.id("a"))], "a"),
    SplitCase(
      "what covers the split view is dismissed first",
      .split(of: "a", "b", selected: .detail), [.present(.screen("m")), .back], "b"),
    SplitCase(
      "a covered split view collapses", .split(of: "a", "b"),
      [.present(.screen("m")), .collapse(), .dismiss()], "a"),
    SplitCase(
      "a screen takes the place of the one below", .split(of: "a", "b", selected: .detail),
      [.backTo(.screen(.named("x")))], "x"),
    SplitCase(
      "tabs hold split views", .tabs("t", [.split(of: "a", "b"), .screen("x")]),
      [.selectColumn(.detail), .selectTabAt(1), .selectTabAt(0)], "b"),
  ])
  func `the screen on top follows the selected column`(item: SplitCase) throws {
    var tree = try NavigationTree(item.root)
    for operation in item.operations {
      tree = try tree.applying(NavigationAction(operation)).tree
    }
    #expect(tree.topScreen?.id.string == item.top)
  }

  @Test(
    arguments: [
      (.push(.named("x")), ["push x"]),
      (.setColumn(.detail, .screen("x")), ["detail right→x"]),
      (.setColumn(.master, .stack("left", of: "ax")), ["push x"]),
      (.selectColumn(.detail), ["select detail"]), (.selectColumn(.master), []),
      (.showDetail(.named("x")), ["stack [b]→[x]", "select detail"]),
      (.collapse(), ["collapse split"]), (.expand(), []),
      (
        .set(.split(of: "a", "b", selected: .detail, isCollapsed: true)),
        ["select detail", "collapse split"]
      ),
      (
        .set(.split("split", master: .stack("right", of: "b"), detail: .stack("left", of: "a"))),
        ["set split→split"]
      ),
    ] as [(NavigationAction.Operation, [String])])
  func `each change of a split view is reported`(
    operation: NavigationAction.Operation, summaries: [String]
  ) throws {
    let tree = try NavigationTree(.split(of: "a", "b"))
    let transition = try tree.applying(NavigationAction(operation))
    #expect(transition.completions.map(\.summary) == summaries)
  }

  @Test func `a split view has its columns by name in the state`() throws {
    let tree = try NavigationTree(.split(of: "a", "bc", selected: .detail, isCollapsed: true))
    #expect(tree.path(to: "c")?.description == "windows[1].root.detail.stack[2]")
    let root = try #require(tree.value["windows"]?.listValue?.first?["root"])
    #expect(root["selected"] == "detail" && root["collapsed"] == true)
    #expect(root["master"]?["id"] == "left")
  }
}

/// What is on top after some operations.
struct SplitCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let root: NavigationNode
  let operations: [NavigationAction.Operation]
  let top: String

  init(
    _ name: String, _ root: NavigationNode, _ operations: [NavigationAction.Operation],
    _ top: String
  ) {
    testDescription = name
    self.root = root
    self.operations = operations
    self.top = top
  }
}
