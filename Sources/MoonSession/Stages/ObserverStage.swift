import MoonActions
import MoonModules
package import MoonServiceKit
package import MoonValues

/// Stage 5: calls observers whose part of the state has changed.
struct ObserverStage {
  let session: Session

  /// Calls the observers of what an action has changed.
  func tell(of transaction: borrowing Transaction) {
    for observer in transaction.observers {
      guard let part = transaction.change(of: observer.part.selection) else { continue }
      tell(observer, from: part.old, to: part.new, on: transaction.taken)
    }
  }

  /// Calls an observer for a change; `action` is its cause, nil for a reload.
  private func tell(
    _ observer: Bound<Observer>, from old: Value?, to new: Value?, on action: Action?
  ) {
    session.caller.attempt(observer, on: action) {
      try Self.deliver(new, old, to: observer, action, $0, in: session)
    }
  }

  /// Calls the observers of what has changed since an earlier state, outside of any action.
  ///
  /// Observers of modules that enter service afterwards may begin then, and aren't called twice.
  func tell(changesSince old: Map, beforeServiceOf entering: Set<ModuleName>) {
    let observers = session.modules.registry.observers.filter {
      initialValue(for: $0, of: entering, in: session.stateValue) == nil
    }
    session.sharingBudget {
      for observer in observers {
        guard let part = observer.part.selection.change(from: old, to: session.state)
        else { continue }
        tell(observer, from: part.old, to: part.new, on: nil)
      }
    }
  }

  /// Calls the observers of modules that begin at the start, with the current values.
  func callInitial(of modules: Set<ModuleName>) {
    let state = session.stateValue
    session.sharingBudget {
      for observer in session.modules.registry.observers {
        guard let value = initialValue(for: observer, of: modules, in: state) else { continue }
        session.caller.attempt(observer) { try observer.part.body(value, nil, $0) }
      }
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
    KeptEffects(session: self).begin(of: modules)
    durable?.resume(of: modules)
  }
}
