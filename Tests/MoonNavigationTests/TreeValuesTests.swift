import MoonNavigation
import MoonValues
import Testing

struct TreeValuesTests {
  @Test func `a tree stands in the state as scripts read it`() throws {
    var detail = Screen(id: "s2", kind: "detail", title: "Detail", url: "/list/2")
    detail.parameters = ["id": 2]
    detail.owner = ScreenOwner(module: "list", generation: 3)
    detail.isPlaceholder = true
    let list = NavigationNode(Screen(id: "s1", kind: "list"))
    let stack = NavigationNode(.stack(id: "stack", items: [list, NavigationNode(detail)]))
    let tabs = NavigationNode(
      .tabs(id: "tabs", items: [stack], selectedIndex: 0), presented: .stack("empty"))
    let tree = try NavigationTree(windows: [NavigationWindow(id: "main", root: tabs)])
    let plain: Value = [
      "id": "s1", "kind": "list", "title": "", "params": [:], "props": [:], "body": [],
    ]
    let full: Value = [
      "id": "s2", "kind": "detail", "title": "Detail", "url": "/list/2", "params": ["id": 2],
      "props": [:], "body": [], "module": "list", "generation": 3, "placeholder": true,
    ]
    let root: Value = [
      "id": "tabs", "selected": 1, "tabs": [["id": "stack", "stack": [plain, full]]],
      "presented": ["id": "empty", "stack": []],
    ]
    let value: Value = [
      "windows": [["id": "main", "root": root]], "key": "main", "loaded": [],
    ]
    #expect(tree.value == value)
    #expect(try NavigationTree(value) == tree)
  }

  @Test(arguments: Array(1...8) as [UInt64])
  func `values of trees read back, and paths lead to their screens`(seed: UInt64) throws {
    var random = RandomNavigation(seed: seed)
    for _ in 0..<100 {
      let tree = random.tree()
      let value = tree.value
      #expect(try NavigationTree(value) == tree, "seed \(seed)")
      for node in tree.allNodes {
        let path = try #require(tree.path(to: node.id))
        #expect(value.value(at: path) == node.value, "seed \(seed): \(path)")
        #expect(tree.node(node.id) == node)
        #expect(tree.screen(node.id) == node.screen)
      }
    }
  }

  @Test func `what scripts leave out is filled in`() throws {
    let tree = try NavigationTree(["windows": [["id": "main", "root": ["id": "a"]]]])
    #expect(tree.keyWindowID == "main")
    #expect(tree.topScreen == Screen(id: "a"))
    #expect(tree.loadedIDs == ["a"])
    #expect(try NavigationTree(["windows": [:]]) == NavigationTree())
  }

  @Test func `a screen that holds null keeps it`() throws {
    var screen = Screen(id: "a")
    screen.body = .null
    #expect(try Screen(screen.value) == screen)
  }

  @Test(arguments: try MalformedCase.all)
  func `a malformed state is refused with the path of the fault`(item: MalformedCase) {
    let error = #expect(throws: NavigationValueError.self) { try NavigationTree(item.value) }
    #expect(error == item.error)
    #expect(error?.description == item.description)
  }
}

/// A value that isn't a tree.
struct MalformedCase: CustomTestStringConvertible, Sendable {
  let value: Value
  let error: NavigationValueError
  let description: String

  var testDescription: String { description }

  init(_ value: Value, _ error: NavigationValueError, _ description: String) {
    self.value = value
    self.error = error
    self.description = description
  }

  /// Makes a case from the root of an otherwise valid tree.
  init(root: Value, _ error: NavigationValueError, _ description: String) {
    self.init(["windows": [["id": "main", "root": root]]], error, description)
  }

  private static func deep(_ count: Int) -> Value {
    var node: Value = ["id": "s"]
    for index in 0..<count { node = ["id": .string(Text("s\(index)")), "presented": node] }
    return node
  }

  static var all: [MalformedCase] {
    get throws {
      func path(_ text: String) throws -> Path { try Path(parsing: text) }
      let root = "windows[1].root"
      return [
        .init(3, .wrongKind(Path(), expected: .map), "must be a map"),
        .init([:], .missing(try path("windows")), "windows: is missing"),
        .init(
          ["windows": 3], .wrongKind(try path("windows"), expected: .list),
          "windows: must be a list"),
        .init(
          ["windows": ["a": 1]], .wrongKind(try path("windows"), expected: .list),
          "windows: must be a list"),
        .init(
          ["windows": [7]], .wrongKind(try path("windows[1]"), expected: .map),
          "windows[1]: must be a map"),
        .init(
          ["windows": [["root": ["id": "a"]]]], .missing(try path("windows[1].id")),
          "windows[1].id: is missing"),
        .init(
          ["windows": [], "colour": "red"], .unknownField(try path("colour")),
          "colour: unknown field"),
        .init(
          ["windows": [["id": "a"]], "key": "b"],
          .invalid(.invalidKeyWindow("b"), try path("key")), "key: the key window b isn't there"),
        .init(
          ["windows": [["id": "a"], ["id": "a"]]],
          .invalid(.duplicateID("a", holder: .window), try path("windows[2]")),
          "windows[2]: the id a is taken by a window"),
        .init(
          ["windows": [], "loaded": ["a"]],
          .invalid(.unknownLoadedID("a"), try path("loaded")),
          "loaded: no screen a, but it is noted as loaded"),
        .init(
          ["windows": [], "loaded": [1]], .wrongKind(try path("loaded[1]"), expected: .text),
          "loaded[1]: must be a text"),
        .init(root: [:], .missing(try path("\(root).id")), "\(root).id: is missing"),
        .init(
          root: ["id": 5], .wrongKind(try path("\(root).id"), expected: .text),
          "\(root).id: must be a text"),
        .init(
          root: ["id": "a", "colour": 1], .unknownField(try path("\(root).colour")),
          "\(root).colour: unknown field"),
        .init(
          root: ["id": "a", "placeholder": "yes"],
          .wrongKind(try path("\(root).placeholder"), expected: .boolean),
          "\(root).placeholder: must be a boolean"),
        .init(
          root: ["id": "a", "module": "m", "generation": 1.5],
          .wrongKind(try path("\(root).generation"), expected: .integer),
          "\(root).generation: must be an integer"),
        .init(
          root: ["id": "a", "generation": 1], .missing(try path("\(root).module")),
          "\(root).module: is missing"),
        .init(
          root: ["id": "s", "stack": [["id": "a"]], "tabs": []],
          .unknownField(try path("\(root).tabs")), "\(root).tabs: unknown field"),
        .init(
          root: ["id": "s", "stack": [["id": "a"], ["id": "a"]]],
          .invalid(.duplicateID("a", holder: .screen), try path("\(root).stack[2]")),
          "\(root).stack[2]: the id a is taken by a screen"),
        .init(
          root: ["id": "s", "stack": [["id": "t", "tabs": []]]],
          .invalid(.misplaced("t", in: "s"), try path("\(root).stack[1]")),
          "\(root).stack[1]: t can't stand in s"),
        .init(
          root: ["id": "t", "tabs": [["id": "a"]], "selected": 2],
          .invalid(.invalidSelection(1, count: 1, tabs: "t"), try path(root)),
          "\(root): selected 2 of the tabs t, which are 1"),
        .init(
          root: ["id": "t", "tabs": [["id": "a"]], "selected": .int(.min)],
          .invalid(.invalidSelection(.min, count: 1, tabs: "t"), try path(root)),
          "\(root): selected \(Int.min + 1) of the tabs t, which are 1"),
        .init(
          root: ["id": "a", "presented": ["id": "b", "presented": ["id": "a"]]],
          .invalid(.duplicateID("a", holder: .screen), try path("\(root).presented.presented")),
          "\(root).presented.presented: the id a is taken by a screen"),
        .init(
          root: deep(200),
          .invalid(
            .limitExceeded(.depth, max: NavigationTree.depthMax),
            try path(root + String(repeating: ".presented", count: NavigationTree.depthMax - 3))),
          root + String(repeating: ".presented", count: NavigationTree.depthMax - 3)
            + ": its screens are nested more than \(NavigationTree.depthMax) lists and maps deep"),
        // Refused before any of them is read, which would find an error.
        .init(
          root: ["id": "s", "stack": .list(List(repeatElement(1, count: 1001)))],
          .invalid(.limitExceeded(.nodes, max: 1000), try path("\(root).stack")),
          "\(root).stack: there can't be more than 1000 screens and containers"),
        .init(
          root: ["id": "a", "body": deep(24)],
          .invalid(
            .limitExceeded(.content, max: NavigationTree.contentDepthMax),
            try path("\(root).body")),
          "\(root).body: what a screen holds is nested more than \(NavigationTree.contentDepthMax) "
            + "lists and maps deep"),
      ]
    }
  }
}
