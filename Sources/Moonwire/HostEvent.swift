public import MoonFiles
public import MoonRouting
public import MoonSession
public import MoonStore
public import MoonValues

/// Something that happened in a host and that a person may want to know.
public enum HostEvent: Sendable {
  /// A module came: it is in service.
  case started(ModuleInfo)
  /// A module was replaced by what its files say now.
  case reloaded(Reload)
  /// A module's files don't make a module. `running` is the generation that stays in service.
  case failed(ModuleName?, [ModuleProblem], running: Int?)
  /// The files of a module that had failed are again what is in service.
  case recovered(ModuleName, generation: Int)
  /// A module left: its files are gone.
  case removed(ModuleName)
  /// A module's code was ended and started again from the files that it was made of.
  case restarted(ModuleName, generation: Int)
  /// A module isn't called any more: of its last calls, so many failed.
  case suspended(ModuleName, by: Fault, count: Int)
  /// A module that was suspended is called again.
  case resumed(ModuleName)
  /// A registration failed where nobody waits for an answer.
  case fault(SessionID, Fault)
  /// A module that came, with this version, has found slices that were put aside.
  case slice(SessionID, ModuleName, version: Int64, SliceChange)
  /// An action that followed from another failed.
  case dispatchFailed(SessionID, Action, DispatchError)
  /// The script directory can't be read; what is loaded runs on.
  case directoryLost(FilesError)
  /// The script directory is there again.
  case directoryFound
  /// Routes get in each other's way that didn't before.
  case conflicts([RouteConflict])
  /// Registrations are never called because of their names, and weren't so before.
  case deadNames([DeadName])
  /// Something about how the directory is watched.
  case watching(DirectoryWatcher.Notice)
}

extension HostEvent {
  init(_ event: SessionEvent) {
    self =
      switch event {
      case .fault(let session, let fault): .fault(session, fault)
      case .dispatchFailed(let session, let action, let error):
        .dispatchFailed(session, action, error)
      case .suspended(let module, let fault, let count):
        .suspended(module, by: fault, count: count)
      case .slice(let session, let module, let version, let change):
        .slice(session, module, version: version, change)
      }
  }
}

/// One replacement of a module.
public struct Reload: Sendable, Equatable {
  /// The module.
  public let module: ModuleName
  /// The generation that was replaced.
  public let from: Int
  /// The generation that is in service.
  public let to: Int
  /// Registrations that weren't there before.
  public let added: [Registration]
  /// Registrations that are there no more.
  public let removed: [Registration]
  /// What became of the slice, in the first session.
  public let state: SliceChange
  /// From the news to the swap.
  public let duration: Duration
}

/// A module as it runs, for people.
public struct ModuleInfo: Sendable {
  /// How it does.
  public enum Status: Sendable, Equatable {
    /// In service, as its files say.
    case running
    /// In service, but its files say something else that doesn't work.
    case stale
    /// Too many of its last calls failed, and it isn't called, until it's reloaded or resumed.
    case suspended
    /// Not in service.
    case failed
  }

  /// Its name.
  public let name: ModuleName
  /// What it is for.
  public let description: String?
  /// Its main file; nil for a module in Swift.
  public let file: String?
  /// How often it was loaded; 0 if it never was.
  public let generation: Int
  /// The version of its state's shape.
  public let version: Int64
  /// How it does.
  public let status: Status
  /// What it registers.
  public let registrations: [Registration]
  /// Bytes that its Lua machine holds; nil for a module in Swift.
  public let memory: Int?
  /// Bytes that a Lua machine of one of its generations held at most; nil for a module in Swift.
  public let memoryPeak: Int?
  /// How long its code ran, all calls of all generations together; nil for a module in Swift.
  public let time: Duration?
  /// How often its code was called, loading included; nil for a module in Swift.
  public let calls: Int?
  /// How often a registration of it has failed since it first came.
  public let faults: Int
  /// How many of its last fifty calls have failed.
  public let recentFaults: Int
  /// What is wrong with its files.
  public let problems: [ModuleProblem]
}

/// An action that somebody expects, for people.
public struct ActionInfo: Sendable {
  /// Its type.
  public let type: String
  /// What it does.
  public let description: String?
  /// What its payload must look like; nil for anything.
  public let schema: PayloadSchema?
  /// The modules whose reducers listen to it.
  public let listeners: [ModuleName]
}

/// What evaluated text gave.
public enum EvaluatedValue: Sendable, Equatable {
  /// Plain data.
  case value(Value)
  /// Something that only Lua can hold, described.
  case described(String)
}
