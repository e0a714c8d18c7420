import MoonActions
import MoonModules
import MoonTasks
import MoonValues

/// The receipts of actions whose effects a task waits for.
struct AwaitedEffects {
  /// A receipt, and what has become of the effects.
  struct Entry {
    let receipt: DispatchReceipt
    /// The actions that were carried out as one.
    let actions: Set<Int64>
    /// The state before them.
    let before: Value
    /// The first ending that the one who waits must know of.
    fileprivate(set) var failure: EffectTask.Ending?
    fileprivate var hasEnded = false
    fileprivate var isCarriedOut = false
    /// The latest action when the effects were first seen to have ended; nil before.
    fileprivate var lastID: Int64?

    fileprivate func awaits(_ task: EffectTask) -> Bool {
      actions.contains(task.action.meta.id)
        && (receipt.awaitsEffects || task.effect.part.hasResult)
    }

    fileprivate func isOver(among living: [TaskID: EffectTask]) -> Bool {
      !living.values.contains(where: awaits)
    }
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Watches the effects of actions that are about to be carried out.
  mutating func watch(_ receipt: DispatchReceipt, for actions: Set<Int64>, since before: Value) {
    entries.append(Entry(receipt: receipt, actions: actions, before: before))
  }

  /// Forgets a receipt.
  mutating func drop(_ receipt: DispatchReceipt) { entries.removeAll { $0.receipt === receipt } }

  /// Holds a receipt whose actions were carried out; forgets it and returns false if they have
  /// started no effect that it waits for.
  mutating func hold(_ receipt: DispatchReceipt, among living: [TaskID: EffectTask]) -> Bool {
    guard let index = entries.firstIndex(where: { $0.receipt === receipt }) else { return false }
    guard entries[index].hasEnded || !entries[index].isOver(among: living) else {
      entries.remove(at: index)
      return false
    }
    entries[index].isCarriedOut = true
    return true
  }

  /// Notes the end of a task.
  mutating func note(_ ending: EffectTask.Ending, of task: EffectTask) {
    for index in entries.indices where entries[index].awaits(task) {
      entries[index].hasEnded = true
      if entries[index].failure != nil { continue }
      switch ending {
      case .finished: break
      case .failed: entries[index].failure = ending
      // An effect that another action replaces has no result, and others need none.
      case .cancelled: if task.effect.part.hasResult { entries[index].failure = ending }
      }
    }
  }

  /// Removes and returns the receipts whose effects have ended, and what they had dispatched until
  /// then has left the queue.
  ///
  /// `last` is the id of the latest action, and `firstQueued` that of the first one in the queue.
  mutating func takeDue(
    among living: [TaskID: EffectTask], last: Int64, firstQueued: Int64?
  ) -> [Entry] {
    for index in entries.indices where entries[index].isCarriedOut && entries[index].lastID == nil {
      if entries[index].isOver(among: living) { entries[index].lastID = last }
    }
    let isDue = { (entry: Entry) in entry.lastID.map { $0 < firstQueued ?? .max } ?? false }
    let due = entries.filter(isDue)
    if !due.isEmpty { entries.removeAll(where: isDue) }
    return due
  }
}
