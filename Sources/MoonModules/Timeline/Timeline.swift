package import DequeModule
import MoonActions
public import MoonValues

/// The last states of a session and the actions that led to them, and the moment that is shown.
///
/// The states share all that is equal in them. A place in a timeline is a number of steps: 0 is the
/// state that it begins with, and ``count`` the latest one. Its changes are pure: what carries
/// actions out again is passed to them.
public struct Timeline: Sendable {
  /// The limits of a timeline.
  public struct Limits: Sendable, Equatable {
    /// The maximum number of steps; 0 to keep none.
    public var countMax: Int
    /// The approximate maximum memory in bytes of all that the states don't share.
    public var bytesMax: Int

    /// The default of ``countMax``.
    public static let countMax = 1_000
    /// The default of ``bytesMax``.
    public static let bytesMax = 64 << 20

    /// The limits that keep no steps, which cost nothing.
    public static let none = Limits(countMax: 0)

    /// Makes limits.
    public init(countMax: Int = Self.countMax, bytesMax: Int = Self.bytesMax) {
      self.countMax = max(0, countMax)
      self.bytesMax = max(0, bytesMax)
    }
  }

  /// Carries a step out again in a state.
  package typealias Compute = (_ step: TimelineStep, _ state: Map) -> (
    slices: Map, error: DispatchError?
  )

  private let limits: Limits
  var countMax: Int { limits.countMax }
  package var kept: Deque<TimelineStep> = []
  /// The slices that the timeline begins with.
  var base: Map
  /// The slices that the session began with.
  var initial: Map
  /// The number of steps up to the shown state.
  public internal(set) var position = 0
  /// Whether no action is taken; see ``TimelineEdit/lock(_:)``.
  public package(set) var isLocked = false
  /// Whether actions don't become steps; see ``TimelineEdit/pause(_:)``.
  public internal(set) var isPaused = false
  package private(set) var takesSteps: Bool
  /// Whether actions were carried out since the latest step that didn't become steps.
  private var missesSteps = false
  /// The most bytes that the steps which weren't measured can take.
  private var unmeasuredBytes = 0
  /// The number of steps, from the oldest, whose memory is part of ``measuredBytes``.
  private var measuredCount = 0
  private var measuredBytes = 0
  /// Whether the session does nothing by itself, and takes no actions.
  package private(set) var isStill = false

  /// Makes a timeline that begins with a state.
  package init(_ slices: Map = Map(), limits: Limits = Limits()) {
    self.limits = limits
    base = slices
    initial = slices
    takesSteps = limits.countMax > 0
  }

  /// Returns the id of the latest action up to the shown state that changed what is at a path; nil
  /// if none of the steps did.
  ///
  /// - Complexity: O(steps).
  package func lastChange(at path: Path) -> Int64? {
    for place in (0..<position).reversed() where !kept[place].isSkipped {
      let before = Value.map(place == 0 ? base : kept[place - 1].slices)
      if before.value(at: path) != Value.map(kept[place].slices).value(at: path) {
        return kept[place].id
      }
    }
    return nil
  }

  /// The number of steps.
  public var count: Int { kept.count }
  /// The steps, oldest first.
  ///
  /// - Complexity: O(steps).
  public var steps: [TimelineStep] { Array(kept) }
  /// Whether an earlier state than the latest is shown.
  public var isPast: Bool { position < kept.count }
  /// The state that is shown.
  public var state: Value { .map(slices) }
  /// The reason that no action is taken while the session stands still.
  package var refusal: DispatchError {
    isPast ? .paused(position: position, count: count) : .timelineLocked
  }
  /// Whether the timeline keeps any steps; see ``Limits/countMax-property``.
  package var isKept: Bool { limits.countMax > 0 }

  /// The slices that the timeline begins with.
  package var firstSlices: Map { base }

  package var slices: Map { slices(at: position) }
  /// The slices after the last step.
  package var latest: Map { kept.last?.slices ?? base }

  package func slices(at position: Int) -> Map { position == 0 ? base : kept[position - 1].slices }

  /// Returns the number of steps up to an action; nil if it is none of them.
  ///
  /// - Complexity: O(steps).
  package func position(of id: Int64) -> Int? {
    kept.lastIndex {
      $0.id == id || $0.notes.made.contains(id) || $0.others.contains { $0.meta.id == id }
    }.map { $0 + 1 }
  }

  // MARK: Recording

  /// Adds the step of a commit, which began with these slices.
  package mutating func record(
    _ step: @autoclosure () -> TimelineStep, since before: @autoclosure () -> Map
  ) {
    guard takesSteps else {
      missesSteps = isPaused
      return
    }
    // The slices may have changed outside of any action since the latest step.
    let before = before()
    if !latest.isIdentical(to: before) { noteOutsideChange(to: before) }
    append(step())
  }

  /// Notes that the state was changed outside of any action, such as by a reload.
  ///
  /// If it isn't equal to the latest one, the timeline begins anew, since no earlier state fits.
  /// After actions that weren't taken as steps, the session's first state still does.
  package mutating func noteOutsideChange(to slices: Map) {
    guard latest == slices else {
      return missesSteps ? begin(with: slices) : beginAnew(with: slices)
    }
    if kept.isEmpty { base = slices } else { kept[kept.count - 1].replace(by: slices) }
  }

  /// Adds a step.
  package mutating func append(_ step: consuming TimelineStep) {
    if kept.count >= limits.countMax { dropFirst() }
    unmeasuredBytes += step.state.storageCost + step.roughActionByteCount
    kept.append(step)
    position = kept.count
    if unmeasuredBytes > limits.bytesMax / 4 { trim() }
  }

  /// Begins anew with a state, without steps.
  mutating func begin(with slices: Map) {
    missesSteps = false
    kept = []
    position = 0
    base = slices
    forgetMeasures()
  }

  /// Begins anew with a state that doesn't follow from the steps, so that no earlier one fits.
  mutating func beginAnew(with slices: Map) {
    begin(with: slices)
    initial = slices
  }

  private mutating func dropFirst() {
    let first = kept.removeFirst()
    base = first.slices
    position = max(0, position - 1)
    guard measuredCount > 0 else { return }
    measuredCount -= 1
    measuredBytes -= first.byteCount ?? 0
  }

  /// Removes the oldest steps until the others are within the limits.
  ///
  /// - Complexity: O(what the steps since the last time have changed).
  mutating func trim() {
    while kept.count > limits.countMax { dropFirst() }
    for index in min(measuredCount, kept.count)..<kept.count {
      measuredBytes += kept[index].measure(since: slices(at: index))
    }
    measuredCount = kept.count
    while measuredBytes > limits.bytesMax, kept.count > 1 { dropFirst() }
    unmeasuredBytes = 0
  }

  private mutating func forgetMeasures() {
    unmeasuredBytes = 0
    measuredCount = 0
    measuredBytes = 0
  }

  /// Returns the approximate memory in bytes of all that the states don't share, and of the
  /// actions.
  ///
  /// - Complexity: O(steps), and for those that weren't measured O(what they changed).
  package mutating func byteCount() -> Int {
    var total = 0
    var before = base
    for index in kept.indices {
      let (sum, isTooLarge) = total.addingReportingOverflow(kept[index].measure(since: before))
      total = isTooLarge ? .max : sum
      before = kept[index].slices
    }
    return total
  }

  /// Notes whether the session takes actions, and whether those become steps.
  package mutating func noteModes() {
    // A change may have replaced or moved steps.
    measuredCount = 0
    measuredBytes = 0
    isStill = isPast || isLocked
    takesSteps = isKept && !isPaused
  }
}

extension Timeline: CustomStringConvertible {
  /// The shown place, and what keeps the session still: `2/3 steps`, `3/3 steps, locked`.
  public var description: String {
    "\(position)/\(count) steps" + (isLocked ? ", locked" : "") + (isPaused ? ", paused" : "")
  }
}
