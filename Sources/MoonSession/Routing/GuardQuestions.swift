import MoonStore
import MoonValues

/// The part of a routing that asks the routing observers.
extension RoutingSequence {
  /// Asks the routing observers; returns the redirect that one of them decided on.
  ///
  /// - Throws: ``RoutingError``, with the reason ``RoutingError/Reason/waiting(for:of:at:)`` if one
  ///   of them must be waited for.
  func ask(
    _ result: RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> Redirect? {
    for observer in router.observers where observer.part.concerns(result) {
      guard let will = observer.part.will else { continue }
      switch try decision(of: observer, will, result, route) {
      case .proceed: continue
      case .redirect(let redirect): return redirect
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
  func hasDeclined(_ result: RouteResult, _ route: Bound<ModuleRoute>) -> Bool {
    !guards.answers.isEmpty && guards.outcome(of: declining(result, route)) == .declined
  }

  func noteDeclined(_ result: RouteResult, _ route: Bound<ModuleRoute>) {
    guards.note(.declined, of: declining(result, route))
  }

  private func declining(
    _ result: RouteResult, _ route: Bound<ModuleRoute>
  ) -> GuardAnswer.Question {
    question(of: result, number: -router.number(of: route), module: result.module)
  }

  private func question(
    of result: RouteResult, number: Int, module: ModuleName
  ) -> GuardAnswer.Question {
    GuardAnswer.Question(
      module: module, number: number, url: result.url, pattern: result.pattern,
      parameters: result.parameters)
  }

  private func decision(
    of observer: Bound<RoutingObserver>, _ will: RoutingObserver.Guard, _ result: RouteResult,
    _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> RoutingObserver.Decision {
    let question = question(
      of: result, number: router.number(of: observer), module: observer.owner)
    switch guards.outcome(of: question) {
    case .decided(let decision): return decision
    case .ended(let reason):
      throw RoutingError(
        result.url,
        .unanswered(by: observer.owner, at: observer.registration.place, reason: reason),
        route: route)
    case .declined, nil: break
    }
    let decision: RoutingObserver.Decision
    switch will {
    case .function(let body): decision = try call(observer, result, route) { try body(result, $0) }
    case .run(let make):
      let (run, read) = make(result, SessionContext(session, observer))
      decision = try self.decision(of: run, read, question, observer, route)
    }
    guards.note(.decided(decision), of: question)
    return decision
  }

  private func decision(
    of run: any EffectRun, _ read: @escaping RoutingObserver.Reading,
    _ question: GuardAnswer.Question, _ observer: Bound<RoutingObserver>,
    _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> RoutingObserver.Decision {
    guard guards.waitCount < RoutingGuards.waitsMax else {
      throw RoutingError(
        question.url,
        .unanswered(
          by: observer.owner, at: observer.registration.place,
          reason: "the routing has waited for observers \(RoutingGuards.waitsMax) times already"),
        route: route)
    }
    let result: FirstTurns.Result
    do throws(Refused) {
      let time = session.environment.taskLimits(observer.owner).guardTimeMax
      // `GuardWaits` says what the ending leads to.
      result = try FirstTurns(session.tasks).run(
        run, as: observer, on: guards.action, within: time > .zero ? time : nil, then: { _ in })
    } catch {
      let failure = CodeFailure(.raised(error.text))
      throw RoutingError(
        question.url, .fault(session.caller.fault(failure, observer, nil)), route: route)
    }
    let place = observer.registration.place
    switch result {
    case .ended(.finished(let values)):
      // The host's own reading, so it isn't a call of the module.
      do {
        return try read(values)
      } catch {
        let fault = session.caller.fault(error, observer, nil)
        throw RoutingError(question.url, .fault(fault), route: route)
      }
    case .ended(.failed(let fault)):
      throw RoutingError(question.url, .fault(fault), route: route)
    case .ended(.cancelled):
      throw RoutingError(
        question.url, .unanswered(by: observer.owner, at: place, reason: "it was cancelled"),
        route: route)
    case .waits(let task):
      guards.pending = RoutingGuards.Pending(
        task: task, question: question, observer: observer, read: read)
      throw RoutingError(
        question.url, .waiting(for: task, of: observer.owner, at: place), route: route)
    }
  }
}
