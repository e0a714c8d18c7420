/// What one module may use, where that isn't what the host grants to all.
///
/// What is nil is as the ``HostOptions`` have it for every module.
public struct ModuleLimits: Sendable, Equatable {
  /// How long its files may run when it's loaded; zero for as long as they like.
  public var load: Duration?
  /// How long one call of a reducer may run; zero for as long as it likes.
  public var reducer: Duration?
  /// The same for a middleware.
  public var middleware: Duration?
  /// The same for an observer.
  public var observer: Duration?
  /// The same for what takes part in a routing.
  public var routing: Duration?
  /// The same for a view.
  public var view: Duration?
  /// The same for a module mapper or a navigation mapper.
  public var mapper: Duration?
  /// The same for start, stop and migrate, and for listeners to a screen's life.
  public var hook: Duration?
  /// How many bytes its code may use; 0 for as many as there are.
  public var memoryQuota: Int?
  /// How many bytes its slice may take, roughly; 0 for as many as there are.
  public var stateQuota: Int?
  /// After how many faults in a row it is suspended; 0 for never.
  public var faultsMax: Int?

  /// Makes limits that are the host's.
  public init() {}
}

extension HostOptions {
  /// How long the code of a module may run.
  func budgets(of module: ModuleName) -> Budgets {
    guard let own = limits[module] else { return budgets }
    var budgets = self.budgets
    budgets.load = own.load ?? budgets.load
    budgets.reducer = own.reducer ?? budgets.reducer
    budgets.middleware = own.middleware ?? budgets.middleware
    budgets.observer = own.observer ?? budgets.observer
    budgets.routing = own.routing ?? budgets.routing
    budgets.view = own.view ?? budgets.view
    budgets.mapper = own.mapper ?? budgets.mapper
    budgets.hook = own.hook ?? budgets.hook
    return budgets
  }

  /// How many bytes the code of a module may use.
  func memoryQuota(of module: ModuleName) -> Int { limits[module]?.memoryQuota ?? memoryQuota }

  /// How many bytes the slice of a module may take.
  func stateQuota(of module: ModuleName) -> Int { limits[module]?.stateQuota ?? stateQuota }

  /// After how many faults in a row a module is suspended.
  func faultsMax(of module: ModuleName) -> Int { limits[module]?.faultsMax ?? faultsMax }
}
