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
      let path = observer.part.path
      let oldPart = before.value(at: path)
      let newPart = after.value(at: path)
      if Self.isSame(oldPart, newPart) { continue }
      session.caller.attempt(observer, on: action) {
        try observer.part.body(newPart, oldPart, $0)
      }
    }
  }

  private static func isSame(_ left: Value?, _ right: Value?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isIdentical(to: right) || left == right
    default: false
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
