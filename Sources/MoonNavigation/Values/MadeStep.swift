package import MoonValues

extension NavigationTree {
  /// Applies an action, with a payload that the host has made, if it is a step on a stack.
  ///
  /// Returns nil for any other action, and for one that may be impossible; see ``applying(_:)``.
  /// `known` returns the known screen that has a value.
  ///
  /// - Complexity: O(windows + log screens).
  package func stepping(
    by type: Text, _ payload: Value, screen known: (Value) -> Screen?
  ) -> Transition? {
    if type == "nav/back" {
      guard let bare = BarePayload.parts(of: payload) else { return nil }
      return StackStep(in: self, bare.motion, bare.origin).goBack()
    }
    guard type == "nav/show" || type == "nav/push",
      let made = ScreenPayload(payload, screen: known),
      // No value of the screen is nested deeper than it may be, then.
      made.depth <= Self.contentDepthMax + 1
    else { return nil }
    return StackStep(in: self, made.motion, made.origin).forward(to: made.screen)
  }
}
