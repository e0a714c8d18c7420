import MoonValues

/// The reason that a timeline can't be changed, or a moment not shown.
public enum TimelineError: Error, Sendable, Equatable {
  /// The session is closed.
  case noSession
  /// The session keeps no timeline.
  case notKept
  /// An action is being carried out.
  case isBusy
  /// There is no step of an action with this id.
  case noStep(Int64)
  /// There is no earlier state.
  case atBeginning
  /// There is no later state.
  case atEnd
  /// No step is a person's.
  case nothingToUndo
  /// An earlier state is shown, so that it isn't clear what to undo.
  case isPast(position: Int, count: Int)
  /// More actions than the timeline has room for.
  case tooManyActions(count: Int, max: Int)
  /// Computing the later states again takes longer than all may take that follows from an action.
  case tookTooLong(milliseconds: Int)
}

extension TimelineError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .noSession: "the session is closed"
    case .notKept: "the session keeps no timeline: HostOptions.timeline sets its length"
    case .isBusy: "an action is being carried out: its timeline can't be changed meanwhile"
    case .noStep(let id): "the timeline has no action #\(id)"
    case .atBeginning: "there is no earlier state"
    case .atEnd: "there is no later state"
    case .nothingToUndo: "nothing that a person did is on the timeline"
    case .isPast(let position, let count):
      "the session is paused at \(position)/\(count): go on from there or return first"
    case .tooManyActions(let count, let max):
      "a timeline holds \(max) actions at most, not \(count)"
    case .tookTooLong(let milliseconds):
      "computing the later states again took more than "
        + "\(Wording.time(.milliseconds(milliseconds))), and nothing has changed"
    }
  }
}
