// A program with modules: one written in Swift, and those in Lua that a directory has.
//
//   swift run EmbeddingExample      in the directory of the package
import Moonwire

let host = try Host(directory: "examples/embedding/scripts")
if let thermometer = Thermometer.module() { try await host.add(thermometer) }
try await host.watch()  // a saved script is in service at once
try await host.load()

let session = await host.openSession()
for celsius in [21.5, 18, 20.6] {
  let action = Action("thermometer/measure", ["celsius": .double(celsius)])
  let outcome = try await host.dispatch(action, to: session)
  for change in outcome.changes.changes { print(change.path, change.after ?? .null) }
}

// A module that can't be loaded, or that fails, takes nobody with it: `load` throws only if there is
// no such directory. What is wrong is told here, and in `host.events()` as it happens.
for info in await host.moduleInfos() {
  print(info.name, info.status, info.file ?? "in Swift", "\(info.problems.count) problems")
}

// What is refused changes nothing, and says why.
do {
  try await host.dispatch(Action("heating/set", ["celsius": "warm"]), to: session)
} catch {
  if case .invalidPayload(let type, let problems, let declared) = error {
    print(type, "refused:", problems.count, "problem, takes", declared.fields.map(\.name))
  }
}

// Screens are data: a program draws them as it likes, or as text.
try await host.route("/heating", in: session)
if let shown = await host.shownScreen(in: session), let card = shown.card {
  print(shown.screen.title)
  for line in card.lines(width: 40) { print("  \(line.text)") }
}

await host.close()
