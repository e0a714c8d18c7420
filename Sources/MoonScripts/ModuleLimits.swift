import MoonValues

/// The limits of one module that differ from the host's.
///
/// For a limit that is missing here, the one in ``HostOptions`` applies.
public struct ModuleLimits: Sendable, Equatable {
  /// The time budgets of calls by kind; zero for no limit.
  public var budgets: [CallKind: Duration] = [:]
  /// The maximum memory of the module in bytes; 0 for no limit.
  public var memoryQuota: Int?
  /// The maximum size of its slice in bytes; 0 for no limit.
  public var stateQuota: Int?
  /// The number of faults in its last calls at which it is suspended; 0 for no limit.
  public var faultsMax: Int?
  /// The maximum number of the module's running tasks in a session; 0 means no limit.
  public var tasksMax: Int?
  /// The maximum life of one of the module's tasks; zero means no limit.
  public var taskLife: Duration?
  /// The maximum time in which one of the module's routing guards must answer; zero means no limit.
  public var guardTime: Duration?

  /// Makes limits that are all the host's.
  public init() {}
}
