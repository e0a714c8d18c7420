public import MoonActions
public import MoonNavigation
public import MoonServiceKit
public import MoonValues

/// The outcome of a dispatch.
public struct Outcome: Sendable {
  /// The action's id; 0 if the action was only queued.
  public let id: Int64
  private let former: FormerSlices
  package let slicesAfter: Map
  /// The number of actions that followed from the action.
  public let followingCount: Int
  /// What only few dispatches have; nil if this one has none of it.
  private let records: Records?

  /// What only few dispatches have, in a separate object, since outcomes are passed on many times.
  package final class Records: Sendable {
    let navigation: (before: NavigationTree, after: NavigationTree)?
    let failures: [FollowingFailure]
    let faults: [Fault]
    let waiting: [WaitingRouting]
    let stopped: [StoppedAction]

    package init(
      navigation: (before: NavigationTree, after: NavigationTree)?,
      failures: [FollowingFailure], faults: [Fault], waiting: [WaitingRouting],
      stopped: [StoppedAction]
    ) {
      self.navigation = navigation
      self.failures = failures
      self.faults = faults
      self.waiting = waiting
      self.stopped = stopped
    }
  }

  package init(
    id: Int64, before former: FormerSlices, after: Map, followingCount: Int = 0,
    records: Records? = nil
  ) {
    self.id = id
    self.former = former
    slicesAfter = after
    self.followingCount = followingCount
    self.records = records
  }

  package init(
    id: Int64, before: Map, after: Map, followingCount: Int = 0, records: Records? = nil
  ) {
    self.init(
      id: id, before: .other(before), after: after, followingCount: followingCount,
      records: records)
  }

  /// Makes the outcome of doing nothing.
  package init(unchanged slices: Map) { self.init(id: 0, before: .same, after: slices) }

  /// The slices before the action.
  ///
  /// - Complexity: O(log n).
  package var slicesBefore: Map { former.slices(beside: slicesAfter) }

  /// The state before the action.
  ///
  /// - Complexity: O(log n), where n is the number of modules.
  public var before: Value { .map(slicesBefore) }
  /// The state after the action and all that followed from it.
  public var after: Value { .map(slicesAfter) }

  /// The navigation before and after; nil if it is unchanged.
  public var navigation: (before: NavigationTree, after: NavigationTree)? { records?.navigation }
  /// The following actions that failed.
  public var failures: [FollowingFailure] { records?.failures ?? [] }
  /// The faults in listeners: observers, hooks, and other modules' reducers and mappers.
  ///
  /// Each undid only the changes of its own listener.
  public var faults: [Fault] { records?.faults ?? [] }
  /// The routings that wait for guards, and come back as actions of their own.
  public var waiting: [WaitingRouting] { records?.waiting ?? [] }
  /// The first actions that middleware stopped.
  public var stopped: [StoppedAction] { records?.stopped ?? [] }

  /// Whether the state has changed.
  package var hasChangedState: Bool { former.differ(from: slicesAfter) }

  /// The changes of the state.
  ///
  /// - Complexity: O(what changed).
  public var changes: Diff { Diff.changes(from: before, to: after) }
}

extension Outcome: CustomStringConvertible {
  /// The number of changes that a description lists.
  private static let shownCountMax = 5

  /// The first changes, and how much else has happened: `counter.count 0 → 1; 2 actions followed`.
  public var description: String {
    let diff = Diff.changes(from: before, to: after, limit: Self.shownCountMax)
    var parts = diff.changes.map { change in
      let (old, new) = (change.before?.canonicalText, change.after?.canonicalText)
      return "\(change.path) \(old ?? "nothing") → \(new ?? "nothing")"
    }
    if diff.isTruncated { parts.append("…") }
    if parts.isEmpty { parts.append("no change") }
    if followingCount > 0 { parts.append("\(Wording.counted(followingCount, "action")) followed") }
    if !failures.isEmpty { parts.append("\(failures.count) of them failed") }
    if !faults.isEmpty { parts.append(Wording.counted(faults.count, "fault")) }
    return parts.joined(separator: "; ")
  }
}

/// An action that followed from another and failed.
public struct FollowingFailure: Sendable {
  /// The action.
  public let action: Action
  /// The reason that it failed.
  public let error: DispatchError
  /// The place of the registration that dispatched it; nil if none did, or none is known.
  package let dispatcherPlace: SourcePlace?

  package init(_ action: Action, _ error: DispatchError, by dispatcher: BoundRegistration?) {
    self.action = action
    self.error = error
    dispatcherPlace = dispatcher?.registration.place
  }
}

/// An action that a middleware stopped, so that it changed nothing.
public struct StoppedAction: Sendable {
  /// The maximum number that an outcome tells of.
  package static let countMax = 100

  /// The action.
  public let action: Action
  /// The module of the middleware.
  public let module: ModuleName
  /// The place of the middleware; nil if it is written in Swift.
  public let place: SourcePlace?

  package init(_ action: Action, by middleware: BoundRegistration) {
    self.action = action
    module = middleware.owner
    place = middleware.registration.place
  }
}
