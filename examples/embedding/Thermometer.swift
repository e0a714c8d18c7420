import Moonwire

/// A module in Swift, with the same parts as a module in Lua.
struct Thermometer: Feature {
  /// The slice of the module in each session.
  struct State: FeatureState {
    var celsius = 20.0
    var notes: [String] = []
  }

  // Actions that Swift and Lua dispatch: thermometer/measure and so on.
  struct Measure: TypedAction { var celsius: Double }
  struct MeasureLater: TypedAction { var celsius: Double }
  struct Note: TypedAction { var text: String }

  var description: String? { "Measures the temperature" }

  var body: some Registrations {
    Reducer { (state: inout State, action: Measure) in
      state.celsius = action.celsius
    }
    Reducer { (state: inout State, action: Note) in
      state.notes.append(action.text)
    }

    // Runs outside the host, so its waits don't block the host.
    Effect { (action: MeasureLater, context) in
      try await context.sleep(for: .seconds(1))
      try await context.dispatch(Measure(celsius: action.celsius))
    }

    Route("/thermometer/:room") { (route, state: State) in
      Screen(title: "In the \(route["room"])")
    }
    View { (state: State) in
      "It is \(state.celsius) °C"
      for note in state.notes { Element.text(note) }
      Element.button("Again", MeasureLater(celsius: 21))
    }
  }
}
