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
    let listeners = session.modules.listeners(to: entry.action.type)
    var isDone = false
    if case .done = entry.result { isDone = true }
    return ActionChain(
      entry: entry, causes: causes(of: entry.action, in: entries),
      calls: place.map { calls(of: timeline.kept[$0 - 1], in: timeline.slices(at: $0 - 1)) },
      changes: states.map { Diff.changes(from: .map($0.0), to: .map($0.1)) },
      observers: states.map { observers(listeners, from: $0.0, to: $0.1) } ?? [],
      effects: isDone ? listeners.answers.effects.map(ActionChain.Listener.init) : [],
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

  /// Carries a step out again, and returns the calls that this takes.
  private func calls(of step: TimelineStep, in slices: Map) -> [TracedCall] {
    let rehearsal = Rehearsal(beside: session)
    let trace = CallTrace()
    rehearsal.stage.work.clock.trace = trace
    _ = rehearsal.compute(step, in: slices)
    return trace.calls
  }

  private func observers(
    _ listeners: Listeners, from old: Map, to new: Map
  ) -> [ActionChain.Listener] {
    listeners.observers.filter {
      $0.part.selection.change(from: old, to: new) != nil
    }.map(ActionChain.Listener.init)
  }
}

extension ActionChain.Listener {
  fileprivate init(_ bound: BoundRegistration) {
    self.init(module: bound.owner, registration: bound.registration)
  }
}
