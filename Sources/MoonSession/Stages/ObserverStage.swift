import MoonStore
package import MoonValues

/// Stage 5: calls observers whose part of the state has changed.
struct ObserverStage {
  let session: Session

  /// Calls the observers of what differs between two states.
  ///
  /// `action` is the cause of the change; nil for a reload.
  func tell(from old: Map, to new: Map, _ action: Action?, _ observers: [Bound<Observer>]) {
    for observer in observers { tell(observer, from: old, to: new, action) }
  }

  // Not inlined, so that what the parameter holds isn't retained once more.
  @inline(never)
  private func tell(_ observer: Bound<Observer>, from old: Map, to new: Map, _ action: Action?) {
    guard let part = observer.part.selection.change(from: old, to: new) else { return }
    session.caller.tell(observer, from: part.old, to: part.new, on: action)
  }

  /// Calls the observers of what has changed in the slice at a place, the only one that has; they
  /// all select something in it.
  @inline(__always)
  func tell(
    of change: borrowing LentValue.Change, at place: Map.Index, _ action: Action,
    _ observers: [Bound<Observer>]
  ) {
    for index in observers.indices {
      // The list holds it. Counting one more reference to each takes 40 instructions.
      Unmanaged.passUnretained(observers[index])._withUnsafeGuaranteedRef { observer in
        switch observer.part.selection.packed.effect(of: change) {
        case .none: break
        case .end:
          if change.old != change.new {
            session.caller.tell(observer, from: change.old, to: change.new, on: action)
          }
        case .unknown: tell(observer, of: change, at: place, action)
        }
      }
    }
  }

  @inline(never)
  private func tell(
    _ observer: Bound<Observer>, of change: borrowing LentValue.Change, at place: Map.Index,
    _ action: Action
  ) {
    let selection = observer.part.selection
    guard let part = selection.part(of: change, at: place, in: session.state) else { return }
    session.caller.tell(observer, from: part.old, to: part.new, on: action)
  }

  /// Calls the observers of what has changed since an earlier state, outside of any action.
  ///
  /// Observers of modules that enter service afterwards may begin then, and aren't called twice.
  func tell(changesSince old: Map, beforeServiceOf entering: Set<ModuleName>) {
    let observers = session.modules.registry.observers.filter {
      initialValue(for: $0, of: entering, in: session.stateValue) == nil
    }
    tell(from: old, to: session.state, nil, observers)
  }

  /// Calls the observers of modules that begin at the start, with the current values.
  func callInitial(of modules: Set<ModuleName>) {
    let state = session.stateValue
    for observer in session.modules.registry.observers {
      guard let value = initialValue(for: observer, of: modules, in: state) else { continue }
      session.caller.attempt(observer) { try observer.part.body(value, nil, $0) }
    }
  }

  /// Returns the value with which an observer begins; nil if it begins with the next change, or
  /// isn't one of the modules.
  func initialValue(
    for observer: Bound<Observer>, of modules: Set<ModuleName>, in state: Value
  ) -> Value? {
    guard observer.part.beginning == .start, modules.contains(observer.owner) else { return nil }
    return observer.part.selection.value(in: state)
  }
}

extension Session {
  /// Calls observers for changes outside of any action, which a reload makes.
  package func notify(changedSince old: Map, beforeServiceOf entering: Set<ModuleName> = []) {
    guard !state.isIdentical(to: old) else { return }
    readers.tell(stateValue)
    ObserverStage(session: self).tell(changesSince: old, beforeServiceOf: entering)
  }

  /// Calls the observers of new modules that begin at the start, with the current values, starts
  /// their schedules, and lets their durable tasks go on that were stopped.
  package func enterService(of modules: Set<ModuleName>) {
    ObserverStage(session: self).callInitial(of: modules)
    schedules.renew(of: modules)
    history.recording?.durable?.resume(of: modules)
  }
}
