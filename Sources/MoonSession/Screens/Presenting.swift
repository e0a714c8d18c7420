import MoonActions
import MoonModules
import MoonNavigation
import MoonValues

/// The step in which presenters enrich screens: new ones, and shown ones when the state that
/// presenters have read changes.
struct Presenting {
  let session: Session

  /// Receives the fault of a presenter; throws if the screen can't be made without it.
  typealias Loss<Failure: Error> = (Bound<Presenter>, Fault) throws(Failure) -> Void

  /// Returns a new screen as its presenters leave it.
  func enriched<Failure: Error>(
    _ made: Screen, _ result: RouteResult, losing lose: Loss<Failure>
  ) throws(Failure) -> Screen {
    let presenters = session.modules.registry.router.presenters
    guard !presenters.isEmpty else {
      session.screens.presented.forget(made.id)
      return made
    }
    let outer = session.screens.reads.take()
    defer { session.screens.reads = outer }
    let screen = try presented(made, result, by: presenters, losing: lose)
    session.screens.note(made, screen, result)
    return screen
  }

  /// Updates the shown screens whose presenters have read slices that have changed; returns the
  /// number of actions.
  ///
  /// Those are the visible screens, and the first of each tab beside them, whose title the tab has.
  /// Others are updated when they are shown again. What presenters dispatch doesn't make them run
  /// again, since it might never end.
  func updateShown() -> Int { session.screens.presented.isEmpty ? 0 : updateSeenScreens() }

  private func updateSeenScreens() -> Int {
    guard let tree = try? session.readNavigation() else { return 0 }
    session.screens.presented.prune(to: tree)
    // One budget for all of them, since one action may have changed what they all read.
    session.current.clock.begin()
    let updated = seenScreens(of: tree).filter(update)
    guard !updated.isEmpty else { return 0 }
    let count = QueueWork(session).carryOut()
    for screen in updated {
      session.screens.presented.take(session.slices.state, for: screen.id)
    }
    return count
  }

  /// Returns the visible screens, and those whose titles are the tabs'.
  private func seenScreens(of tree: NavigationTree) -> [Screen] {
    var seen = tree.visibleScreens
    for window in tree.windows {
      for container in tree.containersOnTop(ofWindow: window.id) {
        guard case .tabs(_, let items, _) = container.content else { continue }
        seen += items.compactMap(\.firstScreen).filter { !seen.map(\.id).contains($0.id) }
      }
    }
    return seen
  }

  /// Returns whether a screen's presenters have run again.
  private func update(_ shown: Screen) -> Bool {
    guard !shown.isPlaceholder, let record = session.screens.presented[shown.id],
      record.isOf(shown), record.reads.differ(from: session.slices.state)
    else { return false }
    let screen = enriched(record.made, record.result) { _, fault in session.caller.note(fault) }
    let updated = shown.taking(from: screen, changedSince: record.presented)
    if updated != shown {
      session.intake.addNotingFailure(Action(NavigationAction(.update(updated))), cause: .host)
    }
    return true
  }

  /// Calls the presenters of a screen, and records what they read.
  private func presented<Failure: Error>(
    _ made: Screen, _ result: RouteResult, by presenters: [Bound<Presenter>],
    losing lose: Loss<Failure>
  ) throws(Failure) -> Screen {
    var screen = made
    for presenter in presenters where presenter.part.concerns(screen, result) {
      if session.screens.reads == nil { session.screens.reads = ReadSlices() }
      var enriched = screen
      do throws(Fault) {
        try session.caller.call(presenter) { try presenter.part.body(&enriched, result, $0) }
      } catch {
        try lose(presenter, error)
        continue
      }
      enriched.restore(from: screen)
      do throws(DispatchError) {
        try checkActions(of: enriched, unlike: screen, by: presenter)
      } catch {
        let failure = CodeFailure(.raised("\(error)"), place: presenter.registration.place)
        try lose(presenter, session.caller.fault(failure, presenter, nil))
        continue
      }
      if presenter.ownerText != screen.owner?.module, enriched != screen {
        session.screens.givers.add(presenter.owner, to: screen.id)
      }
      screen = enriched
    }
    return screen
  }

  /// Checks that a presenter's module may dispatch the actions that it hands to a view, as if they
  /// were on a screen of its own.
  ///
  /// - Throws: ``DispatchError/notGranted(type:_:)``.
  private func checkActions(
    of enriched: Screen, unlike screen: Screen, by presenter: Bound<Presenter>
  ) throws(DispatchError) {
    let given = enriched.props["actions"]
    guard case .map(let actions)? = given, given != screen.props["actions"] else { return }
    for (_, action) in actions {
      guard let type = (action["type"] ?? action).textValue else { continue }
      try session.modules.checkControl(
        of: Action(type, action["payload"] ?? .null), by: presenter.owner)
    }
  }
}

extension Screen {
  /// The screen with the fields that presenters have changed between two of their runs.
  ///
  /// Whatever else has changed the screen since is kept.
  fileprivate func taking(from new: Screen, changedSince old: Screen) -> Screen {
    var screen = self
    func take<Field: Equatable>(_ field: WritableKeyPath<Screen, Field>) {
      if new[keyPath: field] != old[keyPath: field] { screen[keyPath: field] = new[keyPath: field] }
    }
    take(\.kind)
    take(\.title)
    take(\.parameters)
    take(\.props)
    take(\.body)
    return screen
  }
}
