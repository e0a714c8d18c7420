/// A place in a timeline.
public enum TimelinePlace: Sendable, Equatable {
  /// After a number of steps.
  case position(Int)
  /// After the action with an id.
  case action(Int64)
  /// A number of steps earlier; as many as there are if there are fewer.
  case back(Int)
  /// A number of steps later; as many as there are if there are fewer.
  case forward(Int)
  /// The latest state.
  case present
}

extension TimelinePlace {
  /// Returns the number of steps up to the place.
  ///
  /// - Throws: ``TimelineError``
  package func position(in timeline: Timeline) throws(TimelineError) -> Int {
    let (position, count) = (timeline.position, timeline.count)
    switch self {
    case .position(let position): return position
    case .present: return count
    case .action(let id):
      guard let position = timeline.position(of: id) else { throw .noStep(id) }
      return position
    case .back(let steps):
      guard position > 0 else { throw .atBeginning }
      return position - min(max(0, steps), position)
    case .forward(let steps):
      guard position < count else { throw .atEnd }
      return position + min(max(0, steps), count - position)
    }
  }
}
