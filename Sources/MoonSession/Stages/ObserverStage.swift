import MoonStore
package import MoonValues

/// Stage 5: observers are told of what they select, if it has changed.
struct ObserverStage {
  let session: Session

  /// Tells observers what has become of a state.
  ///
  /// `action` is what has changed it; nil for a reload.
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
  /// Tells observers of what has changed outside of any action, by a reload.
  package func notify(changedSince old: Map) {
    guard !state.isIdentical(to: old) else { return }
    ObserverStage(session: self).tell(of: old, nil, modules.registry.observers)
  }
}
