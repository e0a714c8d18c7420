/// How many tasks a module may have in a session, and for how long.
public struct TaskLimits: Sendable, Equatable {
  /// How many may run at a time; 0 for no limit.
  public var countMax: Int
  /// How long one may live; zero for as long as it likes.
  public var lifeMax: Duration

  /// The default of ``countMax``.
  public static let countMax = 10_000

  /// Makes limits.
  ///
  /// By default a task may live as long as it likes, since many wait for what people do.
  public init(countMax: Int = Self.countMax, lifeMax: Duration = .zero) {
    self.countMax = countMax
    self.lifeMax = lifeMax
  }
}
