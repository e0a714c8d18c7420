// The app of VISPER's README, with its parts in the order in which the README introduces them.
//
//   swift run VisperExample
import Moonwire

// `AppFactory`, `makeApp`
let host = try Host(directory: nil)

// `app.add(featureObserver:)`, a `FeatureObserver`
await host.addModuleObserver { module in print("The app has the feature \(module.name).") }

// `app.add(feature:)`
try await host.add(User())
try await host.add(TodoList())
try await host.add(ExampleView())
try await host.add(Greeting())
let app = try await host.session()

// `app.redux.actionDispatcher.dispatch(action)`
try await app.dispatch(User.SetUsername(newUsername: "Max Mustermann"))
try await app.dispatch(User.LoadUsername(), awaitingEffects: true)
print(try await app.state(User.State.self).userName)

// `wireframe.route(url:)`
try await app.dispatch(TodoList.Change.add(title: "Write a feature"))
try await app.route("/todos")
try await app.tap("Finish the first")
if let shown = await app.screen { for line in shown.lines(width: 40) { print("  \(line.text)") } }
try await app.route("/exampleView")
print(await app.screen?.screen.title ?? "")

// `dismissTopViewController`
try await app.back()
print(await app.screen?.screen.title ?? "")
await host.close()
