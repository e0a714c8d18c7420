import MoonStore
package import MoonValues

/// Stage 5: calls observers whose part of the state has changed.
struct ObserverStage {
  let session: Session

  /// Calls the observers of what differs from an old state.
  ///
  /// `action` is the cause of the change; nil for a reload.
  func tell(of old: Map, _ action: Action?, _ observers: [Bound<Observer>]) {
    guard !observers.isEmpty else { return }
    let before = Value.map(old)
    let after = session.stateValue
    for observer in observers {
      guard let part = after.change(at: observer.part.path, since: before) else { continue }
      session.caller.attempt(observer, on: action) {
        try observer.part.body(part.new, part.old, $0)
      }
    }
  }
}

extension Session {
  /// Calls observers for changes outside of any action, which a reload makes.
  package func notify(changedSince old: Map) {
    guard !state.isIdentical(to: old) else { return }
    ObserverStage(session: self).tell(of: old, nil, modules.registry.observers)
  }
}
