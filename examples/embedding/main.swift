// A program that hosts a module written in Swift and a directory of modules in Lua.
//
//   swift run EmbeddingExample run in the package's directory
import Moonwire

let host = try await Host(
  "examples/embedding/scripts", features: [Thermometer()], services: [.sensor])
let session = try await host.session()

for celsius in [21.5, 18, 20.6] {
  let outcome = try await session.dispatch(Thermometer.Measure(celsius: celsius))
  for change in outcome.changes.changes { print(change.path, change.after ?? .null) }
}
print(try await session.state(Thermometer.State.self).notes)
print(try await session.value(at: "heating.target", as: Int.self))

// A module in Lua as a Swift type, with which it is compared now and whenever it is loaded again.
let heating = try await session.module(Heating.self)
try await session.dispatch(Heating.Set(celsius: 20.5))
print(try await heating.state.target)

// Tasks that do little but wait for the host are best run on its thread.
try await withThrowingDiscardingTaskGroup { group in
  for room in ["cellar", "attic"] {
    group.addTask(executorPreference: host.taskExecutor) {
      try await session.dispatch(Action("heating/look", ["room": .string(Text(room))]))
    }
  }
}

// Effects run beside the program, which may wait until they have ended.
await session.waitForEffects(within: .seconds(10))
print(try await session.value(at: "heating.found", as: Value.self))

// A module that can't be loaded, or that fails, doesn't affect the others. Problems are listed
// here, and reported by `host.events()` as they happen.
for info in await host.moduleInfos() {
  print(info.name, info.status, info.file ?? "in Swift", "\(info.problems.count) problems")
}

// A refused action changes nothing. The error says why.
do {
  try await session.dispatch(Action("heating/set", ["celsius": "warm"]))
} catch {
  print(error)
}

// Screens are data: a program draws them in its own way, or as text.
for url: Text in ["/heating", "/thermometer/cellar"] {
  try await session.route(url)
  if let shown = await session.screen {
    print(shown.screen.title)
    for line in shown.lines(width: 40) { print("  \(line.text)") }
  }
}

// Another session keeps its states.
try await travelInTime()

// The sequence ends with the session.
let values = try await session.values(\Thermometer.State.celsius)
await session.serve(until: { print("It stops.") })
for await celsius in values { print(celsius) }
