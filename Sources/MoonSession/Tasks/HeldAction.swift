import MoonActions
import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// The latest action whose memory something holds, so that it counts once for all that keep it.
///
/// What tasks keep is charged to the module that the current action or task is charged to.
struct HeldAction {
  private var id: Int64 = 0
  private weak var share: HeldMemory.Share?

  /// Notes what holds an action in the queue.
  mutating func note(_ share: HeldMemory.Share?, of id: Int64) {
    guard let share else { return }
    self.share = share
    self.id = id
  }

  /// Holds an action; returns nil if it is small.
  private mutating func hold(
    _ action: Action, in memory: () -> HeldMemory
  ) throws(ServiceRefusal) -> HeldMemory.Share? {
    let bytes = action.storageCost
    guard bytes >= HeldMemory.countedBytesMin else { return nil }
    if let share, id == action.meta.id, id != 0 { return share }
    let made = try memory().hold(bytes)
    note(made, of: action.meta.id)
    return made
  }

  /// Holds the action of a new task, which may be held by the task that spawns it.
  ///
  /// - Throws: ``TaskError`` if there is no room.
  mutating func hold(
    _ action: Action, of parent: EffectTask?, in memory: @autoclosure () -> HeldMemory
  ) throws(TaskError) -> HeldMemory.Share? {
    if let parent, parent.action.meta.id == action.meta.id { return parent.origin.held }
    do throws(ServiceRefusal) {
      return try hold(action, in: memory)
    } catch {
      throw TaskError("\(error)")
    }
  }

  /// Holds the answer to a task's wait, which may be an action that others hold as well; if there
  /// is no room, a failure takes its place.
  ///
  /// Answers of services are held where they are made.
  mutating func hold(
    _ answer: WaitAnswer, with action: Action?, in memory: @autoclosure () -> HeldMemory
  ) -> (answer: WaitAnswer, share: HeldMemory.Share?) {
    guard case .values(let values) = answer else { return (answer, nil) }
    do throws(ServiceRefusal) {
      if let action { return (answer, try hold(action, in: memory)) }
      let bytes = values.reduce(0) { $0 + ($1?.storageCost ?? 0) }
      guard bytes >= HeldMemory.countedBytesMin else { return (answer, nil) }
      return (answer, try memory().hold(bytes))
    } catch {
      return (.failure("what the task waited for has come, but \(error)"), nil)
    }
  }
}
