package import MoonActions
package import MoonModules
package import MoonServiceKit
import MoonValues

/// The running tasks of a module in one session: how many there are and may be.
///
/// An object that each task holds, so that its name is looked up once in a task's life.
package final class TaskTally {
  let owner: ModuleName
  package let limits: TaskLimits
  fileprivate(set) var count = 0
  /// How many of them other modules' actions have begun.
  fileprivate var othersCount = 0

  fileprivate init(_ owner: ModuleName, _ limits: TaskLimits) {
    self.owner = owner
    self.limits = limits
  }

  /// Checks that the module may have one more.
  ///
  /// Other modules' actions begin half of them at most, so that nobody fills the room of another.
  ///
  /// - Throws: ``TaskError``
  fileprivate func checkRoom(isOthers: Bool) throws(TaskError) {
    let othersMax = TaskLimits.others(of: limits.countMax)
    guard !isOthers || limits.countMax == 0 || othersCount < othersMax else {
      throw TaskError(
        "\(Wording.counted(othersMax, "task")) of module \(owner) run already "
          + "that actions of other modules have begun")
    }
    guard limits.countMax == 0 || count < limits.countMax else {
      throw TaskError("\(Wording.counted(limits.countMax, "task")) of module \(owner) run already")
    }
  }
}

extension Action {
  /// Whether another module than this one has dispatched it.
  package func isOthers(to module: ModuleName) -> Bool {
    if case .module(let name, _) = cause { name != module.text } else { false }
  }
}

/// The running tasks of all modules in one session.
package struct TaskTallies {
  /// The number of tasks so far, running or not.
  private var lastNumber = 0
  /// The modules with tasks, and the latest.
  private var all: [ModuleName: TaskTally] = [:]
  /// The module looked up last, which is usually the next one, too.
  private var latest: TaskTally?

  /// Makes tallies of no tasks.
  package init() {}

  /// Returns the identity of one more task.
  package mutating func nextID() -> TaskID {
    lastNumber += 1
    return TaskID(lastNumber)
  }

  /// Returns the tally of a module, whose limits are only asked for if it is new.
  mutating func tally(of owner: ModuleName, _ limits: (ModuleName) -> TaskLimits) -> TaskTally {
    if let latest, latest.owner == owner { return latest }
    if let latest, latest.count == 0 { all[latest.owner] = nil }
    let tally = all[owner] ?? TaskTally(owner, limits(owner))
    all[owner] = tally
    latest = tally
    return tally
  }

  /// Returns the tally of a module that may have one more task, which an action begins.
  ///
  /// - Throws: ``TaskError``
  package mutating func withRoom(
    of owner: ModuleName, for action: Action, _ limits: (ModuleName) -> TaskLimits
  ) throws(TaskError) -> TaskTally {
    let tally = tally(of: owner, limits)
    try tally.checkRoom(isOthers: action.isOthers(to: owner))
    return tally
  }

  /// Counts a task that begins to run; its tally may have been dropped since it was looked up.
  package mutating func noteBeginning(_ origin: inout EffectTask.Origin) {
    noteBeginning(&origin.tally, isOthers: origin.isOthers)
    origin.spans?.count(1, of: origin.tally.owner)
  }

  private mutating func noteBeginning(_ tally: inout TaskTally, isOthers: Bool) {
    if tally.count == 0, tally !== latest {
      tally = self.tally(of: tally.owner) { [limits = tally.limits] _ in limits }
    }
    tally.count += 1
    if isOthers { tally.othersCount += 1 }
  }

  /// Counts a task that has ended.
  package mutating func noteEnd(_ origin: EffectTask.Origin) {
    let tally = origin.tally
    origin.spans?.count(-1, of: tally.owner)
    tally.count -= 1
    if origin.isOthers { tally.othersCount -= 1 }
    if tally.count == 0, tally !== latest { all[tally.owner] = nil }
  }
}
