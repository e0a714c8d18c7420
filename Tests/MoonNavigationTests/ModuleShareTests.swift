import MoonNavigation
import MoonValues
import Testing

/// What one module may have of a tree.
struct ModuleShareTests {
  private static func screen(_ index: Int, of module: Text, body: Value = .list(List())) -> Screen {
    Screen(id: Text("\(module)\(index)"), body: body, owner: ScreenOwner(module: module))
  }

  private static func tree(_ count: Int, of module: Text) throws -> NavigationTree {
    // The stack counts as well.
    try NavigationTree(.stack("stack", (1..<count).map { screen($0, of: module) }))
  }

  private static func check(
    _ tree: NavigationTree, _ operation: NavigationAction.Operation
  ) throws -> NavigationTree {
    let new = try tree.applying(NavigationAction(operation)).tree
    try ModuleShare.check(new, since: tree)
    return new
  }

  @Test func `one module's screens leave room for others'`() throws {
    var tree = try Self.tree(ModuleShare.nodeCountMax - 1, of: "a")
    tree = try Self.check(tree, .push(Self.screen(0, of: "a")))
    #expect(
      throws: NavigationError.limitExceeded(.nodesOfModule, max: ModuleShare.nodeCountMax)
    ) { try Self.check(tree, .push(Self.screen(5_000, of: "a"))) }
    for index in 1...90 { tree = try Self.check(tree, .push(Self.screen(index, of: "b"))) }
    // What is there already can be left.
    tree = try Self.check(tree, .pop(count: 1))
  }

  @Test func `what one module's screens hold leaves room for others'`() throws {
    let body = Value.string(Text(String(repeating: "x", count: ModuleShare.storageCostMax / 2)))
    var tree = try NavigationTree(.stack("stack", [Self.screen(1, of: "a", body: body)]))
    #expect(
      throws: NavigationError.limitExceeded(.sizeOfModule, max: ModuleShare.storageCostMax)
    ) { try Self.check(tree, .push(Self.screen(2, of: "a", body: body))) }
    tree = try Self.check(tree, .push(Self.screen(2, of: "b", body: body)))
  }

  @Test func `one module's windows leave room for others'`() throws {
    var tree = NavigationTree()
    func open(_ index: Int, of module: Text) throws {
      tree = try Self.check(tree, .start(window: Text("w\(index)")))
      tree = try Self.check(tree, .set(NavigationNode(Self.screen(index, of: module))))
    }
    for index in 1...ModuleShare.windowCountMax { try open(index, of: "a") }
    try open(0, of: "b")
    #expect(tree.windows.count == ModuleShare.windowCountMax + 1)
  }

  @Test func `a kind and an id have a limit`() throws {
    let long = Text(String(repeating: "x", count: NavigationTree.nameBytesMax + 1))
    let tree = try Self.tree(2, of: "a")
    let error = NavigationError.limitExceeded(.name, max: NavigationTree.nameBytesMax)
    let operations: [NavigationAction.Operation] = [
      .push(Screen(id: long)), .push(Screen(id: "b", kind: long)), .start(window: long),
      .present(.stack(long, [Screen(id: "b")])),
      .present(.stack("s", [Screen(id: long)])),
    ]
    for operation in operations {
      #expect(throws: error) { try tree.applying(NavigationAction(operation)) }
    }
  }
}
