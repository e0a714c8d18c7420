import DequeModule
import MoonStore
import MoonValues

extension SessionTimeline {
  /// Finds out why an action came, what it did, and what it led to.
  ///
  /// - Throws: ``TimelineError/noStep(_:)`` if the history has no such action.
  package func chain(of id: Int64) throws(TimelineError) -> ActionChain {
    guard !session.work.isRunning else { throw .isBusy }
    let entries = session.entries.entries
    guard let entry = entries.first(where: { $0.action.meta.id == id }) else { throw .noStep(id) }
    let timeline = current
    let place = timeline.position(of: id)
    let states = place.map { (timeline.slices(at: $0 - 1), timeline.slices(at: $0)) }
    let trace = place.map { rehearse(timeline.kept[$0 - 1], in: timeline.slices(at: $0 - 1)) }
    // A step may be several actions that were dispatched as one.
    let reduced = trace?.reduced.filter { $0.action.meta.id == id }
    let causes = causes(of: entry.action, in: entries)
    var host: Int64?
    if case .done = entry.result, place == nil, let first = timeline.kept.first, id > first.id {
      host = causes.first { timeline.position(of: $0.meta.id) != nil }?.meta.id
    }
    return ActionChain(
      entry: entry, causes: causes, committedWith: host, calls: trace?.calls,
      reduced: reduced?.map(\.action),
      changes: states.map { Diff.changes(from: .map($0.0), to: .map($0.1)) },
      responses: (states.map { observers(trace?.observers ?? [], from: $0.0, to: $0.1) } ?? [])
        + Self.answers(to: reduced?.map(\.listeners.answers) ?? []),
      tasks: session.begunTasks?.infos().filter { $0.action.meta.id == id } ?? [],
      following: entries.filter { $0.action.meta.parent == id })
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
    rehearsal.stage.work.clock.trace = trace
    _ = rehearsal.compute(step, in: slices)
    return trace
  }

  private func observers(
    _ observers: [Bound<Observer>], from old: Map, to new: Map
  ) -> [ActionChain.Listener] {
    observers.filter {
      $0.part.selection.change(from: old, to: new) != nil
    }.map(ActionChain.Listener.init)
  }

  private static func answers(to actions: [CommitListeners]) -> [ActionChain.Listener] {
    let mappers = actions.flatMap(\.navigationMappers)
    let middleware = actions.flatMap(\.afterReduce)
    let effects = actions.flatMap(\.effects)
    return mappers.map(ActionChain.Listener.init) + middleware.map(ActionChain.Listener.init)
      + effects.map(ActionChain.Listener.init)
  }
}

extension ActionChain.Listener {
  fileprivate init(_ bound: BoundRegistration) {
    self.init(module: bound.owner, registration: bound.registration)
  }
}
