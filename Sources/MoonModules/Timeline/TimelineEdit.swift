import DequeModule
public import MoonActions

/// A change of a timeline, in the terms of Redux DevTools.
public enum TimelineEdit: Sendable, Equatable {
  /// Leaves an action out if it is in, and takes it in again if it is left out.
  case toggle(Int64)
  /// Leaves the actions of these ids out, or takes them in again.
  case skip(Range<Int64>, Bool)
  /// Forgets the actions that are left out.
  case sweep
  /// Moves an action to the place before another; to the end if there is no other with that id.
  case move(Int64, before: Int64?)
  /// Makes the shown state the one to begin with, and forgets all steps.
  case commit
  /// Goes back to the state to begin with, and forgets all steps.
  case revert
  /// Goes back to the state that the session began with, and forgets all steps.
  case reset
  /// Forgets the steps after the shown state, so that the session goes on from it.
  case cut
  /// Carries all actions out again, for example with modules that have changed.
  case recompute
  /// Refuses all actions, or takes them again.
  case lock(Bool)
  /// Makes the shown state the one to begin with, and takes no steps from then on; or takes steps
  /// again.
  case pause(Bool)
  /// Replaces the steps with actions, which are carried out in the state to begin with.
  case replace([Action])
}

// MARK: - The changes

extension Timeline {
  /// Changes the timeline; `compute` carries steps out again.
  ///
  /// - Throws: ``TimelineError``; the timeline is then unchanged.
  /// - Complexity: O(steps), and what carrying out the steps takes from the first one that changes.
  package mutating func carryOut(
    _ edit: TimelineEdit, _ compute: Compute
  ) throws(TimelineError) {
    guard isKept else { throw .notKept }
    switch edit {
    case .toggle(let id): try toggle(id, compute)
    case .skip(let ids, let isSkipped): skip(ids, isSkipped, compute)
    case .sweep: sweep()
    case .move(let id, let next): try move(id, before: next, compute)
    case .commit: begin(with: slices)
    case .revert: begin(with: base)
    case .reset: begin(with: initial)
    case .cut: kept.removeLast(kept.count - position)
    case .recompute: recompute(from: 0, compute)
    case .lock(let isLocked): self.isLocked = isLocked
    case .pause(let isPaused):
      self.isPaused = isPaused
      begin(with: slices)
    case .replace(let actions): try replace(with: actions, compute)
    }
    noteModes()
  }

  /// Shows the state after a number of steps, and computes nothing.
  ///
  /// - Throws: ``TimelineError``.
  package mutating func jump(to position: Int) throws(TimelineError) {
    guard isKept else { throw .notKept }
    guard position >= 0 else { throw .atBeginning }
    guard position <= count else { throw .atEnd }
    self.position = position
    noteModes()
  }

  private func index(of id: Int64) throws(TimelineError) -> Int {
    guard let position = position(of: id) else { throw .noStep(id) }
    return position - 1
  }

  private mutating func toggle(_ id: Int64, _ compute: Compute) throws(TimelineError) {
    let index = try index(of: id)
    kept[index].skip(!kept[index].isSkipped)
    recompute(from: index, compute)
  }

  private mutating func skip(_ ids: Range<Int64>, _ isSkipped: Bool, _ compute: Compute) {
    var first: Int?
    for index in kept.indices where ids.contains(kept[index].id) {
      guard kept[index].isSkipped != isSkipped else { continue }
      kept[index].skip(isSkipped)
      first = first ?? index
    }
    if let first { recompute(from: first, compute) }
  }

  private mutating func sweep() {
    // The states of those that are left out are the ones before them, so that none changes.
    let stay = kept.indices.count { $0 < position && !kept[$0].isSkipped }
    kept.removeAll { $0.isSkipped }
    position = stay
  }

  private mutating func move(
    _ id: Int64, before next: Int64?, _ compute: Compute
  ) throws(TimelineError) {
    let old = try index(of: id)
    let target: Int
    if let next { target = try index(of: next) } else { target = kept.count }
    let new = target > old ? target - 1 : target
    guard new != old else { return }
    let step = kept.remove(at: old)
    kept.insert(step, at: new)
    recompute(from: min(old, new), compute)
  }

  private mutating func replace(
    with actions: [Action], _ compute: Compute
  ) throws(TimelineError) {
    guard actions.count <= countMax else {
      throw .tooManyActions(count: actions.count, max: countMax)
    }
    kept = []
    for action in actions {
      kept.append(TimelineStep(action, with: [], isMapped: false, noting: CommitNotes(), to: base))
    }
    position = kept.count
    recompute(from: 0, compute)
  }

  /// Computes the states from a step on.
  ///
  /// A step that fails leads to the state before it, and the next ones are still carried out, since
  /// a failed action changes nothing.
  private mutating func recompute(from index: Int, _ compute: Compute) {
    var state = slices(at: index)
    for index in index..<max(index, kept.count) {
      if kept[index].isSkipped {
        kept[index].note(state, nil)
      } else {
        let computed = compute(kept[index], state)
        state = computed.error == nil ? computed.slices : state
        kept[index].note(state, computed.error)
      }
    }
    trim()
  }
}
