import Moonwire

/// A list of things to do.
struct Todos: Feature {
  struct Item: Codable, Equatable, Sendable {
    let id: Int
    var title: String
    var isDone = false
  }

  enum Filter: String, Codable, CaseIterable, Sendable { case all, open, done }

  /// The slice of the module in each session.
  struct State: FeatureState {
    var items: [Item] = []
    var filter = Filter.all
    var nextID = 1
    var isAsking = false
    /// The lists before the last changes, the latest at the end.
    var past: [[Item]] = []
  }

  /// What people do to the list: todos/add, todos/toggle and so on.
  enum Change: TypedAction {
    case add(title: String), toggle(id: Int), rename(id: Int, title: String), remove(id: Int)
    case show(filter: Filter), undo

    // One of each case, since nothing else knows which there are.
    static let examples: [Change] = [
      .add(title: "Rest"), .toggle(id: 1), .rename(id: 1, title: "Sleep"), .remove(id: 1),
      .show(filter: .all), .undo,
    ]
  }

  /// Asks for something to do.
  struct Suggest: TypedAction {}
  /// What the answer was; nil if there was none.
  struct Suggested: TypedAction { var title: String? }
  /// Throws the list away.
  struct Clear: TypedAction {}

  /// Finds something to do; a test passes a function of its own.
  var idea: @Sendable () async throws -> String

  var description: String? { "A list of things to do" }

  var body: some Registrations {
    Reducer { (state: inout State, action: Change) in try state.apply(action) }
    Reducer { (state: inout State, _: Suggest) in state.isAsking = true }
    Reducer { (state: inout State, action: Suggested) in
      state.isAsking = false
      if let title = action.title { try state.apply(.add(title: title)) }
    }
    Reset<State, Clear>()

    // Runs outside the host, so it may wait. While it does, further suggestions are passed over.
    Effect(policy: .first) { (_: Suggest, context) in
      let title = try? await idea()
      try await context.dispatch(Suggested(title: title))
    }

    Route("/todos", option: .root, kind: "list") { _ in Screen(title: "To do") }
    View("list") { (state: State) in
      for item in state.shown {
        Element.button(
          "\(item.isDone ? "☑" : "☐") \(item.title)", Change.toggle(id: item.id), inputs: false)
        Element.button("Open \(item.id)", opening: "/todos/\(item.id)")
      }
      Element.input("title", label: "What to do")
      Element.button("Add", Change.add(title: ""))
      Element.button(state.isAsking ? "Asking …" : "Suggest", Suggest(), inputs: false)
      if !state.past.isEmpty { Element.button("Undo", Change.undo, inputs: false) }
      for filter in state.otherFilters {
        Element.button("Show \(filter.rawValue)", Change.show(filter: filter), inputs: false)
      }
      // Other modules put something here.
      Element.slot("below")
    }

    Route("/todos/:id<int>", kind: "item", parent: "/todos") { (route, state: State) in
      state.item(route["id"]).map { Screen(title: Text($0.title)) }
    }
    View("item") { (screen, state: State) in
      if let item = state.item(screen["id"]) {
        item.isDone ? "It is done." : "It is to be done."
        Element.input("title", label: "New title")
        Element.button("Rename", Change.rename(id: item.id, title: ""))
      } else {
        "There is no item \(screen["id"]) any more."
      }
    }
  }
}
