public import MoonActions
public import MoonFiles
public import MoonModules
public import MoonRouting
public import MoonScripts
public import MoonServiceKit
public import MoonSession
package import MoonValues

/// An event of a host that may interest a person.
public enum HostEvent: Sendable {
  /// A new module is in service.
  case started(ModuleInfo)
  /// A module was replaced by a new generation.
  case reloaded(Reload)
  /// A module's files failed to load; `running` is the generation that stays in service.
  case failed(ModuleName?, [ModuleProblem], running: Int?)
  /// The files of a module that had failed match the generation in service again.
  case recovered(ModuleName, generation: Int)
  /// A module was removed with its files.
  case removed(ModuleName)
  /// A module was restarted from the files that it was loaded from, after its machine was killed.
  case restarted(ModuleName, generation: Int)
  /// A module was suspended: `count` of its last calls failed.
  case suspended(ModuleName, by: Fault, count: Int)
  /// A suspended module was resumed.
  case resumed(ModuleName)
  /// A registration failed in a call whose error no caller receives.
  case fault(SessionID, Fault)
  /// A registration, such as an effect, refused in a call whose error no caller receives; with the
  /// action that it was called for.
  case refused(SessionID, Refusal, by: Action?)
  /// Slices were put aside for a new module of this version.
  case slice(SessionID, ModuleName, version: Int64, SliceChange)
  /// Tasks resumed and changed the state.
  case tasksChangedState(SessionID, Outcome)
  /// An action that followed from another failed.
  case dispatchFailed(SessionID, FollowingFailure)
  /// Events about failures that a module causes are left out, since there are more than 100 in a
  /// second; `count` is their number, or nil at the first.
  case failuresLeftOut(String, count: Int?)
  /// A journal can't keep what happens in a session, whose actions are refused until it can.
  case notKept(SessionID, JournalError)
  /// A recording that ``Journal/beginCopy(of:on:)`` began has ended, because it can't be written.
  case recordingEnded(SessionID, JournalError)
  /// The script directory can't be read; loaded modules keep running.
  case directoryLost(FilesError)
  /// The script directory can be read again.
  case directoryFound
  /// There are new conflicts between routes.
  case conflicts([RouteConflict])
  /// New registrations can never be called because of their names.
  case deadNames([DeadName])
  /// Files have new names that are most likely mistakes.
  case doubtfulNames([DoubtfulName])
  /// The drawing of the screen on top has changed; nil if no screen is shown now. See
  /// ``HostSession/watchScreen()``.
  case screenChanged(SessionID, ShownScreen?)
  /// A notice about watching the directory.
  case watching(DirectoryWatcher.Notice)
  /// Code in Swift hasn't returned for a second, two, four and so on, and the host waits for it.
  ///
  /// Unlike other events, it is told while the host waits, and on another thread.
  case longCall(LongCall)

  /// The maximum number of events that wait for a reader of the stream.
  ///
  /// Beyond that, the oldest are dropped.
  static let countMax = 1_000
}

extension HostEvent {
  /// The approximate memory in bytes that the event keeps beside the present state: the slices that
  /// tasks have replaced.
  package var byteCount: Int {
    guard case .tasksChangedState(_, let outcome) = self else { return 0 }
    let after = outcome.slicesAfter
    return outcome.slicesBefore.reduce(0) { sum, slice in
      let isShared = after[slice.0]?.isIdentical(to: slice.1) ?? false
      return isShared ? sum : sum + slice.1.storageCost
    }
  }

  /// The session that the event is about; nil if it is about the host.
  package var session: SessionID? {
    switch self {
    case .fault(let id, _), .refused(let id, _, _), .slice(let id, _, _, _),
      .tasksChangedState(let id, _), .dispatchFailed(let id, _), .notKept(let id, _),
      .recordingEnded(let id, _), .screenChanged(let id, _):
      id
    default: nil
    }
  }

  /// The module that has changed, if the event is about one.
  package var module: ModuleName? {
    switch self {
    case .started(let info): info.name
    case .reloaded(let reload): reload.module
    case .failed(let name, _, _): name
    case .recovered(let name, _), .removed(let name), .restarted(let name, _): name
    default: nil
    }
  }

  init(_ event: SessionEvent) {
    self =
      switch event {
      case .fault(let session, let fault): .fault(session, fault)
      case .refused(let session, let refusal, let action):
        .refused(session, refusal, by: action)
      case .dispatchFailed(let session, let failure): .dispatchFailed(session, failure)
      case .notKept(let session, let error): .notKept(session, error)
      case .copyEnded(let session, let error): .recordingEnded(session, error)
      case .suspended(let module, let fault, let count):
        .suspended(module, by: fault, count: count)
      case .slice(let session, let module, let version, let change):
        .slice(session, module, version: version, change)
      }
  }
}

/// A replacement of a module by a new generation.
public struct Reload: Sendable, Equatable {
  /// The module.
  public let module: ModuleName
  /// The generation that was replaced.
  public let from: Int
  /// The generation that is in service.
  public let to: Int
  /// The registrations that are new.
  public let added: [Registration]
  /// The registrations that are gone.
  public let removed: [Registration]
  /// The change of the slice in the first session.
  public let state: SliceChange
  /// The libraries that the module requires and that have changed, by their paths, in order.
  package var libraries: [String] = []
  /// Whether `on_start` or `on_restore` runs again, because it failed before.
  package var startsAgain = false
  /// The registrations of the tasks that the replacement has ended, in the order of their
  /// beginnings; those that other tasks had spawned aren't listed.
  package var endedTasks: [Registration] = []
  /// The kept effects that begin again.
  package var begunTasks: [Registration] = []
  /// The number of durable tasks that continue on earlier code, by the generation that began them.
  package var durableTasks: [Int: Int] = [:]
  /// The effects that are durable and weren't in the previous generation.
  package var durableEffects: [Registration] = []
  /// The time from the change of the file to the swap.
  package let duration: Duration
}

/// A module's status and usage.
public struct ModuleInfo: Sendable {
  /// The status of a module.
  public enum Status: Sendable, Equatable {
    /// In service, with its current files.
    case running
    /// In service, but its current files fail to load.
    case stale
    /// Not called until it is reloaded or resumed, because too many of its last calls failed.
    case suspended
    /// Not in service.
    case failed
  }

  /// The module's name.
  public let name: ModuleName
  /// The module's purpose, in one sentence.
  public let description: String?
  /// The module's main file; nil for a module in Swift.
  public let file: String?
  /// The number of times that the module was loaded; 0 if it never was.
  public let generation: Int
  /// The version of its slice's shape.
  public let version: Int64
  /// The permissions that the module requests; a module in service has all of them.
  public let needs: [Scope]
  /// The status.
  public let status: Status
  /// The module's registrations.
  public let registrations: [Registration]
  /// The effects that continue after their program was killed, if a journal is kept.
  package var durableEffects: [Registration] = []
  /// The usage of the module's code; nil for a module in Swift, and for one that never loaded.
  package let usage: ModuleUsage?
  /// The number of faults since the module was first loaded.
  public let faults: Int
  /// The number of faults in the last fifty calls.
  package let recentFaults: Int
  /// The problems with the module's files.
  public let problems: [ModuleProblem]
  /// The same permissions, the optional ones, and what they are for.
  package var requested = RequestedScopes()

  /// The permissions that the module requests and can do without.
  package var optionalNeeds: [Scope] { requested.optional }
  /// What the module says that permissions are for.
  package var reasons: [Scope: String] { requested.reasons }
}

/// The usage of the code of a module in Lua.
package struct ModuleUsage: Sendable, Equatable {
  /// The number of bytes that its machine holds.
  package let memory: Int
  /// The highest number of bytes that a machine of any of its generations held.
  package let memoryPeak: Int
  /// The total time of all calls into all its generations.
  package let time: Duration
  /// The number of calls, including loading.
  package let calls: Int
}

/// An action that is declared or that a reducer listens to.
package struct ActionInfo: Sendable {
  /// The action's type.
  package let type: String
  /// The action's purpose, in one sentence.
  package let description: String?
  /// The schema of the payload; nil if any payload is allowed.
  package let schema: PayloadSchema?
  /// Whether the action was derived from the state.
  package var isDerived = false
  /// The modules whose reducers listen to the action.
  package let listeners: [ModuleName]

  package init(
    type: String, description: String?, schema: PayloadSchema?, isDerived: Bool = false,
    listeners: [ModuleName] = []
  ) {
    self.type = type
    self.description = description
    self.schema = schema
    self.isDerived = isDerived
    self.listeners = listeners
  }
}

/// A result of evaluated text.
package enum EvaluatedValue: Sendable, Equatable {
  /// Plain data.
  case value(Value)
  /// A description of something that only Lua can hold.
  case described(String)
}
