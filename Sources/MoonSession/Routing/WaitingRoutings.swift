import MoonActions
import MoonModules
import MoonValues

/// The routings of a session that wait for guards, in the order in which they came.
struct WaitingRoutings {
  private struct Entry {
    let routing: WaitingRouting
    let guards: RoutingGuards
    /// The state when the guards were asked.
    let state: Map
    /// The wait of a task for the outcome.
    var receipt: DispatchReceipt?
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ routing: WaitingRouting, _ guards: RoutingGuards, in state: Map) {
    entries.append(Entry(routing: routing, guards: guards, state: state))
  }

  /// Removes and returns the routing that waits for a task.
  mutating func remove(
    _ task: TaskID
  ) -> (
    routing: WaitingRouting, guards: RoutingGuards, state: Map, receipt: DispatchReceipt?
  )? {
    guard let index = entries.firstIndex(where: { $0.routing.task == task }) else { return nil }
    let entry = entries.remove(at: index)
    return (entry.routing, entry.guards, entry.state, entry.receipt)
  }

  /// Keeps a receipt with the routing of an action; returns false if the action doesn't wait.
  mutating func keep(_ receipt: DispatchReceipt, for action: Int64) -> Bool {
    guard let index = entries.firstIndex(where: { $0.routing.action.meta.id == action }) else {
      return false
    }
    entries[index].receipt = receipt
    return true
  }

  /// Returns the routings that a newer one replaces: those in its window, except the routing whose
  /// guard has asked for it.
  func replaced(by action: Action, in window: Text?) -> [WaitingRouting] {
    entries.map(\.routing).filter {
      $0.window == window && $0.action.meta.id != action.meta.parent
        && $0.action.meta.id != action.meta.id
    }
  }

  /// Returns the routings that actions with these ids have begun.
  func begun(by ids: [Int64]) -> [WaitingRouting] {
    entries.map(\.routing).filter { ids.contains($0.action.meta.id) }
  }
}
