import MoonStore
import MoonValues

/// The store of the most recent actions.
///
/// Errors and waits are in objects of their own, since they are large and rare.
package struct HistoryRing {
  private final class Exception {
    let result: History.Result

    init(_ result: History.Result) { self.result = result }
  }

  private struct Record {
    let action: Action
    let bytes: Int
    let hasChanged: Bool
    let exception: Exception?
  }

  /// The recording that keeps all commits for another run; nil if nothing does.
  package var recording: Recording?
  /// Recordings beside it.
  package var copies = RecordingCopies()
  /// The states that the session can go back to.
  package var timeline: Timeline
  /// What is held back while the session stands still; nil if it doesn't.
  var standstill: Standstill?
  /// The window of the timeline's control; nil if it isn't open.
  var controlWindow: ControlWindow?
  /// The actions that control the timeline once the session is idle.
  var controls: [WaitingControl] = []
  private var kept = Ring<Record>(countMax: History.countMax)
  private var bytes = 0

  /// Checks that a session takes actions, and that everything so far is kept.
  ///
  /// - Throws: ``DispatchError``
  // Of the type, since a method of the session's ring would be given a copy of it.
  @inline(__always)
  static func checkTaking(in session: Session) throws(DispatchError) {
    if session.history.timeline.isStill { throw session.history.timeline.refusal }
    try session.history.recording?.check()
  }

  /// Whether anything keeps what replays of commits need besides.
  var keepsNotes: Bool {
    @inline(__always) get { timeline.takesSteps || recording != nil || !copies.isEmpty }
  }

  init(limits: Timeline.Limits) { timeline = Timeline(limits: limits) }

  /// Notes that slices changed outside of any action.
  package func noteSlices() {
    recording?.noteSlices()
    copies.noteSlices()
  }

  package var snapshot: History {
    History(
      entries: kept.elements.map { record in
        History.Entry(
          action: record.action,
          result: record.exception?.result ?? .done(hasChanged: record.hasChanged))
      })
  }

  /// Records a commit: the action as it was taken in, or as it was reduced if that says more, then
  /// the other actions that were reduced for it.
  mutating func record(_ transaction: borrowing Transaction, hasChanged: Bool) {
    let taken = transaction.taken
    timeline.noteBeginning(with: transaction.before)
    guard !transaction.isPlain else {
      return record(
        plain: taken, bytes: transaction.bytes, to: transaction.state, hasChanged: hasChanged)
    }
    timeline.record(
      TimelineStep(
        taken, with: transaction.intake?.others ?? [],
        isMapped: transaction.intake?.isMapped ?? false, noting: transaction.notes,
        to: transaction.state))
    if let waiting = transaction.navigation?.waiting, !waiting.isEmpty {
      append(waiting)
      if transaction.reduced.isEmpty { return }
    }
    let own = transaction.reduced.position(of: taken)
    append(own.map { transaction.reduced.action(at: $0) } ?? taken, hasChanged)
    for index in transaction.reduced.indices where index != own {
      append(transaction.reduced.action(at: index), hasChanged)
    }
    // Those that middleware dropped of several that were dispatched as one.
    if let intake = transaction.intake { append(intake, without: transaction.reduced, hasChanged) }
  }

  @inline(never)
  private mutating func append(
    _ intake: Transaction.Intake, without reduced: ReducedActions, _ hasChanged: Bool
  ) {
    for other in intake.others where !reduced.contains(where: { $0.action.id == other.id }) {
      append(other, hasChanged)
    }
  }

  @inline(never)
  private mutating func append(_ waiting: [WaitingRouting]) {
    for routing in waiting {
      let action = routing.action
      append(
        Record(
          action: action, bytes: action.roughByteCount(upTo: History.bytesMax), hasChanged: false,
          exception: Exception(.waiting(for: routing.task))))
    }
  }

  /// Records the commit of an action of `bytes` bytes that was reduced as it was taken in, and
  /// alone.
  @inline(__always)
  mutating func record(
    plain action: Action, bytes: Int, to after: @autoclosure () -> Map, hasChanged: Bool
  ) {
    timeline.record(TimelineStep(plain: action, to: after()))
    append(action, bytes: bytes, hasChanged)
  }

  private mutating func append(_ action: consuming Action, _ hasChanged: Bool) {
    let bytes = action.roughByteCount(upTo: History.bytesMax)
    append(Record(action: action, bytes: bytes, hasChanged: hasChanged, exception: nil))
  }

  private mutating func append(_ action: Action, bytes: Int, _ hasChanged: Bool) {
    append(Record(action: action, bytes: bytes, hasChanged: hasChanged, exception: nil))
  }

  mutating func append(_ action: Action, bytes: Int, failedWith error: DispatchError) {
    append(
      Record(
        action: action, bytes: bytes, hasChanged: false, exception: Exception(.failed(error))))
  }

  private mutating func append(_ record: consuming Record) {
    bytes += record.bytes &- (kept.firstOfFull?.bytes ?? 0)
    kept.append(record)
    while bytes > History.bytesMax, kept.count > 1 { bytes -= kept.popFirst()?.bytes ?? 0 }
  }
}
