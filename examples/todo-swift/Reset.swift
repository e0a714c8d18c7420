import Moonwire

/// Lets an action bring back the first state.
struct Reset<State: FeatureState, Trigger: TypedAction>: FeaturePart {
  var body: some Registrations {
    Reducer { (state: inout State, _: Trigger) in state = State() }
  }
}
