public import MoonActions
public import MoonValues

/// One commit in a timeline: the actions, and the state that they led to.
public struct TimelineStep: Sendable {
  // An object, since errors are large and rare.
  private final class Failure: Sendable {
    let error: DispatchError

    init(_ error: DispatchError) { self.error = error }
  }

  /// What only few steps have, in a separate object, so that other steps don't carry it.
  private final class Details: Sendable {
    let others: [Action]
    let isMapped: Bool
    let notes: CommitNotes

    init(others: [Action], isMapped: Bool, notes: CommitNotes) {
      self.others = others
      self.isMapped = isMapped
      self.notes = notes
    }
  }

  /// The action as it was taken in.
  public let action: Action
  private let details: Details?
  /// Whether the step is left out: it leads to the state before it.
  public private(set) var isSkipped = false
  /// The slices after the step.
  package private(set) var slices: Map
  /// The approximate memory in bytes that the step takes besides the step before; nil until it was
  /// measured.
  package private(set) var byteCount: Int?
  private var failure: Failure?

  /// Makes the step of a commit.
  package init(
    _ action: Action, with others: [Action], isMapped: Bool, noting notes: CommitNotes,
    to slices: Map
  ) {
    self.action = action
    let isPlain = others.isEmpty && !isMapped && notes.isEmpty
    details = isPlain ? nil : Details(others: others, isMapped: isMapped, notes: notes)
    self.slices = slices
  }

  /// The actions that were carried out as one with it.
  package var others: [Action] { details?.others ?? [] }

  /// Whether a module mapper made the action.
  package var isMapped: Bool { details?.isMapped ?? false }

  /// What a replay needs besides.
  package var notes: CommitNotes { details?.notes ?? CommitNotes() }

  /// The id of the action.
  public var id: Int64 { action.meta.id }

  /// The state after the step.
  public var state: Value { .map(slices) }

  /// The reason that the action failed when it was carried out again; nil if it didn't.
  ///
  /// The step then leads to the state before it.
  public var error: DispatchError? { failure?.error }

  /// Leaves the step out, or takes it in again; its state must be computed then.
  mutating func skip(_ isSkipped: Bool) { self.isSkipped = isSkipped }

  /// Notes the state that the step leads to, after it was computed again.
  mutating func note(_ slices: Map, _ error: DispatchError?) {
    self.slices = slices
    failure = error.map(Failure.init)
    byteCount = nil
  }

  /// Replaces the state that the step leads to by an equal one.
  mutating func replace(by slices: Map) { self.slices = slices }

  /// Measures the memory that the step takes besides a state before it.
  mutating func measure(since before: Map) -> Int {
    if let byteCount { return byteCount }
    let count = slices.byteCount(besides: before) + roughActionByteCount
    byteCount = count
    return count
  }

  /// The approximate memory of the actions.
  var roughActionByteCount: Int {
    let count = min(action.storageCost, Timeline.Limits.bytesMax)
    guard let details else { return count }
    return details.others.reduce(count) {
      min($0 + min($1.storageCost, Timeline.Limits.bytesMax), Timeline.Limits.bytesMax)
    }
  }
}

extension TimelineStep: CustomStringConvertible {
  /// The id, the actions, and whether they are left out or have failed: `#2 counter/add {"by":1}`.
  public var description: String {
    let actions = ([action] + others).map(\.description).joined(separator: ", ")
    let state = isSkipped ? " (left out)" : error.map { " (\($0))" } ?? ""
    return "#\(id) \(actions)\(state)"
  }
}
