/// The kind of a call into a module's code.
///
/// Each kind has its own time budget.
public enum CallKind: String, Sendable, CaseIterable {
  /// Running a module's files when it is loaded.
  case load
  /// A reducer.
  case reducer
  /// A middleware, before or after the reduce.
  case middleware
  /// An observer.
  case observer
  /// A function that takes part in a routing: a screen provider, a handler, a presenter and so on.
  case routing
  /// A view.
  case view
  /// A module mapper or a navigation mapper.
  case mapper
  /// An effect, from one wait to the next.
  case effect
  /// `on_start`, `on_restore`, `on_stop`, `migrate` or a lifecycle listener.
  case hook
}

/// The maximum time of a call into a module's code, by the kind of call.
///
/// A watchdog measures it to about 10 ms, at no cost to calls within their budget.
/// Zero means no limit.
public struct Budgets: Sendable, Equatable {
  /// The default budget of loading.
  package static let loading: Duration = .seconds(2)
  /// The default budget of every other kind of call.
  package static let calling: Duration = .seconds(1)

  private var times: [CallKind: Duration]

  /// Makes the default budgets.
  public init() {
    self.init(all: Self.calling)
    self[.load] = Self.loading
  }

  /// Makes budgets that are all equal.
  public init(all time: Duration) {
    times = Dictionary(uniqueKeysWithValues: CallKind.allCases.map { ($0, time) })
  }

  /// The budget of a kind of call.
  public subscript(kind: CallKind) -> Duration {
    get { times[kind] ?? .zero }
    set { times[kind] = newValue }
  }
}
