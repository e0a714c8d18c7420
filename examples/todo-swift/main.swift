// The list of things to do in Swift, with a module in Lua that extends it.
//
//   swift run TodoExample
import Moonwire

let host = try await Host(
  "examples/todo-swift/scripts", features: [Todos(idea: { "Water the plants" })])
let session = try await host.session()

/// Draws the screen on top.
func show() async {
  for line in await session.screen?.lines(width: 40) ?? [] { print("  \(line.text)") }
}

try await session.route("/todos")
for title in ["Buy milk", "  Write   a poem "] {
  print(try await session.dispatch(Todos.Change.add(title: title)))
}
try await session.fill("What to do", with: "Rest")
try await session.tap("Add")
try await session.tap("☐ Buy milk")
await show()

// What makes no sense is refused, and then nobody has heard of it.
do {
  try await session.dispatch(Todos.Change.toggle(id: 9))
} catch {
  print(error)
}

try await session.dispatch(Todos.Change.remove(id: 1))
try await session.dispatch(Todos.Change.undo)
try await session.dispatch(Todos.Suggest(), awaitingEffects: true)
try await session.tap("Show open")
await show()

// A screen with a parameter.
try await session.tap("Open 2")
await show()
try await session.fill("New title", with: "Write a song")
try await session.tap("Rename")
try await session.back()
await show()

// The module in Lua has counted what is done.
print(try await session.value(at: "progress.done", as: Int.self))
await host.close()
