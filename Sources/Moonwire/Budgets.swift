/// How long the code of modules may run at a stretch, by what it is.
///
/// Measured by a watchdog with an error of about 10 ms, so that nothing is paid while all is well.
/// Zero is no budget: it may run for as long as it likes.
public struct Budgets: Sendable, Equatable {
  /// Running a module's files when it's loaded.
  public var load: Duration = .seconds(2)
  /// One call of a reducer.
  public var reducer: Duration = .seconds(1)
  /// One call of a middleware.
  public var middleware: Duration = .seconds(1)
  /// One call of an observer.
  public var observer: Duration = .seconds(1)
  /// One call of what takes part in a routing: a screen provider, a handler, a presenter, ….
  public var routing: Duration = .seconds(1)
  /// One call of a view.
  public var view: Duration = .seconds(1)
  /// One call of a module mapper or a navigation mapper.
  public var mapper: Duration = .seconds(1)
  /// One call of start, stop or migrate, or of a listener to a screen's life.
  public var hook: Duration = .seconds(1)

  /// Makes the usual budgets.
  public init() {}

  /// Makes budgets that are all the same.
  public init(all time: Duration) {
    load = time
    reducer = time
    middleware = time
    observer = time
    routing = time
    view = time
    mapper = time
    hook = time
  }
}
