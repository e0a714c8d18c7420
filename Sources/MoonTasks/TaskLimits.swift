/// The limits on a module's tasks in one session.
public struct TaskLimits: Sendable, Equatable {
  /// The maximum number of running tasks; 0 means no limit.
  public var countMax: Int
  /// The maximum life of a task; zero means no limit.
  public var lifeMax: Duration
  /// The maximum time in which a routing guard must answer; zero means no limit.
  public var guardTimeMax: Duration

  /// Returns how many of the tasks that a module may have, other modules' actions may begin.
  package static func others(of countMax: Int) -> Int { max(1, countMax / 2) }

  /// The default of ``countMax``.
  public static let countMax = 10_000

  /// The default of ``guardTimeMax``: enough for a person to log in.
  public static let guardTimeMax: Duration = .seconds(300)

  /// Makes limits.
  ///
  /// By default the life of a task isn't limited, since many tasks wait for what people do.
  public init(
    countMax: Int = Self.countMax, lifeMax: Duration = .zero,
    guardTimeMax: Duration = Self.guardTimeMax
  ) {
    self.countMax = countMax
    self.lifeMax = lifeMax
    self.guardTimeMax = guardTimeMax
  }
}
