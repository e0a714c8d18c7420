import MoonTestKit
import Testing

@testable import TodoExample

/// The tests of the list in Swift, which the guide shows.
struct TodosTests {
  @Test func `a list is filled, ticked off and undone`() async throws {
    let store = try await TestStore(Todos(idea: { "Read" }))
    await store.send(Todos.Change.add(title: " Buy  milk")) {
      $0.items = [Todos.Item(id: 1, title: "Buy milk")]
      $0.nextID = 2
      $0.past = [[]]
    }
    await store.send(Todos.Change.toggle(id: 1)) {
      $0.past.append($0.items)
      $0.items[0].isDone = true
    }
    await store.send(Todos.Change.undo) {
      $0.items[0].isDone = false
      $0.past.removeLast()
    }
    await store.send(Todos.Change.add(title: " "), refused: "an item needs a title")
    await store.finish()
  }

  @Test(arguments: ["Read", nil])
  func `a suggestion comes later, or not at all`(title: String?) async throws {
    struct NoIdea: Error {}
    let store = try await TestStore(
      Todos(idea: {
        guard let title else { throw NoIdea() }
        return title
      }), isExhaustive: false)
    await store.send(Todos.Suggest()) { $0.isAsking = true }
    await store.receive(Todos.Suggested(title: title)) {
      $0.isAsking = false
      $0.items = title.map { [Todos.Item(id: 1, title: $0)] } ?? []
    }
    await store.finish()
  }

  @Test func `an item is renamed on its screen`() async throws {
    let store = try await TestStore(Todos(idea: { "Read" }), isExhaustive: false)
    await store.send(Todos.Change.add(title: "Rest"))
    try await store.session.route("/todos/1")
    try await store.session.fill("New title", with: "Sleep")
    try await store.session.tap("Rename")
    await store.receive(Todos.Change.rename(id: 1, title: "Sleep")) { $0.items[0].title = "Sleep" }
    await #expect(throws: DispatchError.self) { try await store.session.route("/todos/9") }
    await store.finish()
  }

  @Test func `a list that is thrown away begins anew`() async throws {
    let store = try await TestStore(Todos(idea: { "Read" }))
    await store.send(Todos.Change.show(filter: .open)) { $0.filter = .open }
    await store.send(Todos.Clear()) { $0 = Todos.State() }
    await store.finish()
  }

  @Test func `the script counts what is done`() async throws {
    let store = try await TestStore(
      Todos(idea: { "Read" }), scripts: "examples/todo-swift/scripts", isExhaustive: false)
    await store.send(Todos.Change.add(title: "Rest"))
    await store.send(Todos.Change.toggle(id: 1)) { $0.items[0].isDone = true }
    #expect(try await store.session.value(at: "progress.done", as: Int.self) == 1)
    try await store.session.route("/todos")
    #expect(await store.session.screen?.lines(width: 40).last?.text == "1 of 1 done")
    await store.finish()
  }
}
