/// The limits on a module's tasks in one session.
public struct TaskLimits: Sendable, Equatable {
  /// The maximum number of running tasks; 0 means no limit.
  public var countMax: Int
  /// The maximum life of a task; zero means no limit.
  public var lifeMax: Duration

  /// The default of ``countMax``.
  public static let countMax = 10_000

  /// Makes limits.
  ///
  /// By default the life of a task isn't limited, since many tasks wait for what people do.
  public init(countMax: Int = Self.countMax, lifeMax: Duration = .zero) {
    self.countMax = countMax
    self.lifeMax = lifeMax
  }
}
