import Moonwire

// Each part of VISPER's `AppState` belongs to a feature here, so there is no `AppReducer` that puts
// them together.

/// A `LogicFeature` with the `UserState`.
struct User: Feature {
  struct State: FeatureState {
    var userName = ""
    var isAuthenticated = false
  }

  // `struct SetUsernameAction: Action`
  struct SetUsername: TypedAction { var newUsername: String }
  struct LoadUsername: TypedAction {}

  // `func injectReducers(container: ReducerContainer)`
  var body: some Registrations {
    // A reduce function, a `FunctionalReducer` or an `ActionReducerType`.
    Reducer { (state: inout State, action: SetUsername) in
      state.userName = action.newUsername
    }
    // An `AsyncActionReducerType`: what it completes with is an action.
    Effect { (_: LoadUsername, context) in
      try await context.sleep(for: .milliseconds(1))
      try await context.dispatch(SetUsername(newUsername: "Erika Mustermann"))
    }
    // `app.state.subscribe`, for a feature.
    Observer(\State.userName) { new, old, _ in print("New username is: \(new), not \"\(old)\"") }
  }
}

/// A `LogicFeature` and a `ViewFeature` in one, with the `TodoListState`.
struct TodoList: Feature {
  struct Todo: Codable, Sendable {
    var title: String
    var isDone = false
  }
  struct State: FeatureState { var todos: [Todo] = [] }
  enum Change: TypedAction {
    case add(title: String), finish(number: Int)
    static let examples: [Change] = [.add(title: "Sleep"), .finish(number: 1)]
  }

  var body: some Registrations {
    Reducer { (state: inout State, action: Change) in
      switch action {
      case .add(let title): state.todos.append(Todo(title: title))
      case .finish(let number):
        guard state.todos.indices.contains(number - 1) else { throw NoTodo(number: number) }
        state.todos[number - 1].isDone = true
      }
    }
    Route("/todos", option: .root) { _ in Screen(title: "Next week") }
    View { (state: State) in
      for todo in state.todos { Element.text(todo.isDone ? "done: \(todo.title)" : todo.title) }
      Element.button("Finish the first", Change.finish(number: 1))
      Element.button("Imprint", opening: "/exampleView")
    }
  }

  struct NoTodo: Error, CustomStringConvertible {
    var number: Int
    var description: String { "there is no todo \(number)" }
  }
}

/// A `ViewFeature`.
struct ExampleView: Feature {
  var body: some Registrations {
    // `routePattern`, `makeOption` with `DefaultRoutingOptionPush`, and `makeController`.
    Route("/exampleView", option: .push) { _ in Screen(title: "Example") }
    View { (_: NoState) in "What the presenter has added is in the title." }
  }
}

/// A `PresenterFeature`: it enriches the screen of another feature.
struct Greeting: Feature {
  var body: some Registrations {
    // `isResponsible(routeResult:controller:)` is the pattern, `addPresentationLogic` the function.
    Presenter(pattern: "/exampleView") { screen, _, context in
      let name: String = try context.value(at: "user.userName")
      screen.title = "\(screen.title) for \(name)"
    }
  }
}
