import MoonModules
import MoonNavigation
import MoonTasks
import MoonValues

/// The part of a routing that asks the routing observers.
extension RoutingSequence {
  /// Asks the routing observers; returns the redirect that one of them decided on.
  ///
  /// - Throws: ``RoutingError``, with the reason ``RoutingError/Reason/waiting(for:of:at:)`` if one
  ///   of them must be waited for.
  func ask(
    _ result: RouteResult, _ route: Bound<Route>
  ) throws(RoutingError) -> Step? {
    let router = router
    for observer in router.observers where observer.part.concerns(result) {
      guard let will = observer.part.will else { continue }
      switch try decision(of: observer, in: router, will, result, route) {
      case .proceed: continue
      case .redirect(let redirect):
        session.current.noteHand(of: observer.owner)
        return .redirected(redirect)
      case .veto(let reason):
        throw RoutingError(
          result.url,
          .vetoed(by: observer.owner, at: observer.registration.place, reason: reason),
          route: route)
      }
    }
    return nil
  }

  /// Whether the handler of a route declined before the routing waited.
  func hasDeclined(_ result: RouteResult, _ route: Bound<Route>) -> Bool {
    guard guards.mayKnow else { return false }
    return guards.outcome(of: Self.declining(result, route, in: router)) == .declined
  }

  func noteDeclined(_ result: RouteResult, _ route: Bound<Route>) {
    guards.noteDeclined { [router] in Self.declining(result, route, in: router) }
  }

  private static func declining(
    _ result: RouteResult, _ route: Bound<Route>, in router: Router
  ) -> GuardAnswer.Question {
    GuardAnswer.Question(
      about: result, number: -router.number(of: route), module: result.module)
  }

  private func decision(
    of observer: Bound<RoutingObserver>, in router: Router, _ will: RoutingObserver.Guard,
    _ result: RouteResult, _ route: Bound<Route>
  ) throws(RoutingError) -> RoutingObserver.Decision {
    if guards.mayKnow, let known = try known(observer, router, result, route) { return known }
    let decision: RoutingObserver.Decision
    switch will {
    case .function(let body): decision = try call(observer, result, route) { try body(result, $0) }
    case .run(let make):
      let (run, read) = make(result, SessionContext(session, observer))
      decision = try self.decision(of: run, read, observer, router, result, route)
    }
    guards.note(decision, of: observer, in: router, about: result)
    return decision
  }

  /// Returns an observer's earlier decision about the same question; nil if there is none.
  private func known(
    _ observer: Bound<RoutingObserver>, _ router: Router, _ result: RouteResult,
    _ route: Bound<Route>
  ) throws(RoutingError) -> RoutingObserver.Decision? {
    let question = GuardAnswer.Question(of: observer, about: result, in: router)
    switch guards.outcome(of: question) {
    case .decided(let decision): return decision
    case .ended(let reason): throw unanswered(reason, by: observer, result, route)
    case .refused(var refusal):
      refusal.origin = Refusal.Origin(
        observer.owner, observer.registration, at: observer.registration.place)
      throw RoutingError(result.url, .refused(refusal), route: route)
    case .declined, nil: return nil
    }
  }

  private func decision(
    of run: any EffectRun, _ read: @escaping RoutingObserver.Reading,
    _ observer: Bound<RoutingObserver>, _ router: Router, _ result: RouteResult,
    _ route: Bound<Route>
  ) throws(RoutingError) -> RoutingObserver.Decision {
    if guards.haveWaitedTooOften {
      let count = RoutingGuards.waitsMax
      let reason = "the routing has waited for observers \(count) times already"
      throw unanswered(reason, by: observer, result, route)
    }
    let turn: FirstTurn
    do throws(TaskError) {
      let time = session.environment.taskLimits(observer.owner).guardTimeMax
      // `GuardWaits` says what the ending leads to.
      turn = try FirstTurn.run(
        run, as: observer, on: guards.action, within: time > .zero ? time : nil,
        in: session.tasks, then: { _ in })
    } catch {
      throw failure(of: observer, CodeFailure(.raised(error.text)), result.url, route)
    }
    switch turn {
    case .ended(.finished(let values)):
      // The host itself reads it, so this isn't a call of the module.
      do {
        return try read(values)
      } catch {
        throw failure(of: observer, error, result.url, route)
      }
    case .ended(.failed(let fault)):
      throw RoutingError(result.url, RoutingError.Reason(fault), route: route)
    case .ended(.cancelled): throw unanswered("it was cancelled", by: observer, result, route)
    case .waits(let task):
      let question = GuardAnswer.Question(of: observer, about: result, in: router)
      guards.pending = RoutingGuards.Pending(
        task: task, question: question, observer: observer, read: read)
      throw RoutingError(
        result.url, .waiting(for: task, of: observer.owner, at: observer.registration.place),
        route: route)
    }
  }

  private func unanswered(
    _ reason: String, by observer: Bound<RoutingObserver>, _ result: RouteResult,
    _ route: Bound<Route>
  ) -> RoutingError {
    RoutingError(
      result.url,
      .unanswered(by: observer.owner, at: observer.registration.place, reason: reason),
      route: route)
  }
}
