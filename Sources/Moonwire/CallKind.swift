import MoonSession
import MoonStore

/// What kind of call into a module's code it is: each kind has a time budget of its own.
public enum CallKind: String, Sendable, CaseIterable {
  /// Running a module's files when it is loaded.
  case load
  /// A reducer.
  case reducer
  /// A middleware.
  case middleware
  /// An observer.
  case observer
  /// What takes part in a routing: a screen provider, a handler, a presenter, ….
  case routing
  /// A view.
  case view
  /// A module mapper or a navigation mapper.
  case mapper
  /// `on_start`, `on_stop` and `migrate`, and listeners to a screen's life.
  case hook
}

/// How long the code of modules may run at a stretch, by the kind of call.
///
/// A watchdog measures it with an error of about 10 ms, so that nothing is paid while all is well.
/// Zero is no budget: the call may run for as long as it likes.
public struct Budgets: Sendable, Equatable {
  /// The usual budget of loading.
  public static let loading: Duration = .seconds(2)
  /// The usual budget of every other kind of call.
  public static let calling: Duration = .seconds(1)

  private var times: [CallKind: Duration]

  /// Makes the usual budgets.
  public init() {
    self.init(all: Self.calling)
    self[.load] = Self.loading
  }

  /// Makes budgets that are all the same.
  public init(all time: Duration) {
    times = Dictionary(uniqueKeysWithValues: CallKind.allCases.map { ($0, time) })
  }

  /// The budget of a kind.
  public subscript(kind: CallKind) -> Duration {
    get { times[kind] ?? .zero }
    set { times[kind] = newValue }
  }
}
