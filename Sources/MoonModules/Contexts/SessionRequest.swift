package import MoonActions
package import MoonValues

/// Work of the session that a task waits for.
package enum SessionRequest: Sendable {
  /// The outcome of actions that are dispatched as one:
  /// `{status = "done", changes = {{path, before, after}}, screen}`, or
  /// `{status = "failed", error, routing}`.
  ///
  /// The screen is the one on top after a routing. Effects with a result are waited for in any
  /// case, and others if `withEffects` says so.
  case outcome(of: [Action], withEffects: Bool)
  /// The screen of a URL with its body, which isn't shown: the screen, or nil and the reason that
  /// there is none.
  case screen(Text, passing: Map)

  /// What is kept of it once it is answered: its description, without payloads.
  package var ended: SessionRequest {
    switch self {
    case .outcome(let actions, let withEffects):
      .outcome(of: actions.prefix(1).map { Action($0.type) }, withEffects: withEffects)
    case .screen(let url, _): .screen(url, passing: Map())
    }
  }
}

extension SessionRequest: CustomStringConvertible {
  /// The object of "waits for": `the outcome of cart/add`.
  package var description: String {
    switch self {
    case .outcome(let actions, _): "the outcome of \(actions.first?.type ?? "no action")"
    case .screen(let url, _): "the screen of \(url)"
    }
  }
}
