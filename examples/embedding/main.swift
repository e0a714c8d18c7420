// A program that hosts a module written in Swift and a directory of modules in Lua.
//
//   swift run EmbeddingExample run in the package's directory
import Moonwire

var options = HostOptions()
options.services = [.sensor]
let host = try Host(directory: "examples/embedding/scripts", options: options)
if let thermometer = Thermometer.module() { try await host.add(thermometer) }
try await host.watch()  // a saved script is in service at once
try await host.load()

let session = await host.openSession()
for celsius in [21.5, 18, 20.6] {
  let action = Action("thermometer/measure", ["celsius": .double(celsius)])
  let outcome = try await host.dispatch(action, to: session)
  for change in outcome.changes.changes { print(change.path, change.after ?? .null) }
}

// Tasks that do little but wait for the host are best run on its thread.
try await withThrowingDiscardingTaskGroup { group in
  for room in ["cellar", "attic"] {
    let action = Action("heating/look", ["room": .string(Text(room))])
    group.addTask(executorPreference: host.taskExecutor) {
      try await host.dispatch(action, to: session)
    }
  }
}

// Effects run beside the program, which may wait until they have ended.
_ = await host.waitForTasks(in: session, within: .seconds(10))
print(await host.state(of: session)?["heating"]?["found"] ?? .null)

// A module that can't be loaded, or that fails, doesn't affect the others: `load` throws only if
// the directory is missing. Problems are listed here, and reported by `host.events()` as they
// happen.
for info in await host.moduleInfos() {
  print(info.name, info.status, info.file ?? "in Swift", "\(info.problems.count) problems")
}

// A refused action changes nothing. The error says why.
do {
  try await host.dispatch(Action("heating/set", ["celsius": "warm"]), to: session)
} catch {
  if case .invalidPayload(let type, let problems, let declared) = error {
    print(type, "refused:", problems.count, "problem, takes", declared.fields.map(\.name))
  }
}

// Screens are data: a program draws them in its own way, or as text.
try await host.route("/heating", in: session)
if let shown = await host.shownScreen(in: session), let card = shown.card {
  print(shown.screen.title)
  for line in card.lines(width: 40) { print("  \(line.text)") }
}

await host.close()
