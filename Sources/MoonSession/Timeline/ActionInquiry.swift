import DequeModule
import MoonActions
package import MoonModules
import MoonValues

extension SessionTimeline {
  /// Finds out why an action came, what it did, and what it led to.
  ///
  /// - Throws: ``TimelineError/noStep(_:)`` if the history has no such action.
  package func chain(of id: Int64) throws(TimelineError) -> ActionChain {
    guard !session.current.isRunning else { throw .isBusy }
    let entries = session.history.snapshot.entries
    guard let entry = entries.first(where: { $0.action.meta.id == id }) else { throw .noStep(id) }
    let timeline = current
    let place = timeline.position(of: id)
    let step = place.map { timeline.kept[$0 - 1] }
    let states = place.map { (timeline.slices(at: $0 - 1), timeline.slices(at: $0)) }
    let trace = step.flatMap { step in states.map { rehearse(step, in: $0.0) } }
    let reduced = trace.map { Self.parts(of: id, in: $0.reduced, made: step?.notes.made ?? []) }
    let isPart = step?.notes.made.contains(id) ?? false
    return ActionChain(
      entry: entry, causes: causes(of: entry.action, in: entries),
      committedWith: isPart ? step?.id : nil, calls: isPart ? nil : trace?.calls,
      reduced: reduced?.map(\.action),
      changes: isPart ? nil : states.map { Diff.changes(from: .map($0.0), to: .map($0.1)) },
      responses: (isPart ? [] : observers(trace?.observers ?? [], in: states))
        + Self.answers(to: reduced?.map(\.listeners.answers) ?? []),
      tasks: session.begunTasks?.infos().filter { $0.action.meta.id == id } ?? [],
      following: entries.filter { $0.action.meta.parent == id })
  }

  /// Returns those of the actions of a commit that are an action or its parts.
  ///
  /// The others were dispatched with it, as one.
  private static func parts(
    of id: Int64, in reduced: [ReducedActions.Element], made: [Int64]
  ) -> [ReducedActions.Element] {
    var ids: Set = [id]
    // Parts are made in order, each after what it is a part of.
    for part in made {
      let parent = reduced.first { $0.action.id == part }?.action.meta.parent
      if let parent, ids.contains(parent) { ids.insert(part) }
    }
    return reduced.filter { ids.contains($0.action.id) }
  }

  private func causes(of action: Action, in entries: [History.Entry]) -> [Action] {
    var causes: [Action] = []
    var parent = action.meta.parent
    // Parents are older, so that the search ends even if the history were wrong.
    for entry in entries.reversed() where entry.action.meta.id == parent {
      causes.append(entry.action)
      parent = entry.action.meta.parent
    }
    return causes
  }

  /// Carries a step out again, and returns the calls that this takes and what it became.
  private func rehearse(_ step: TimelineStep, in slices: Map) -> CallTrace {
    let rehearsal = Rehearsal(beside: session)
    let trace = CallTrace()
    rehearsal.stage.current.clock.trace = trace
    _ = rehearsal.compute(step, in: slices)
    return trace
  }

  private func observers(
    _ observers: [Bound<Observer>], in states: (before: Map, after: Map)?
  ) -> [ListedRegistration] {
    guard let states else { return [] }
    return observers.filter {
      $0.part.selection.change(from: states.before, to: states.after) != nil
    }.map(ListedRegistration.init)
  }

  private static func answers(to actions: [CommitListeners]) -> [ListedRegistration] {
    let mappers = actions.flatMap(\.navigationMappers)
    let middleware = actions.flatMap(\.afterReduce)
    let effects = actions.flatMap(\.effects)
    return mappers.map(ListedRegistration.init) + middleware.map(ListedRegistration.init)
      + effects.map(ListedRegistration.init)
  }
}

extension ListedRegistration {
  fileprivate init(_ bound: BoundRegistration) {
    self.init(module: bound.owner, registration: bound.registration)
  }
}
