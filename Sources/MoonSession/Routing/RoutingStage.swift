import MoonNavigation
import MoonStore
import MoonValues

/// The host's own part of stage 3 for `nav/route`: a URL becomes changes of the navigation.
struct RoutingStage {
  let session: Session

  /// The actions that a routing leads to.
  struct Routed {
    var actions: [Action] = []
    var url: Text
    var route: Bound<ModuleRoute>?
    /// The routing to announce when the actions are done; nil if no one listens.
    var finished: FinishedRouting?

    /// Adds the URL and its route to the error of one of the actions.
    func explained(_ error: DispatchError) -> DispatchError {
      guard case .navigation(let problem) = error else { return error }
      return .routing(RoutingError(url, .navigation(problem), route: route))
    }
  }

  /// Routes the URL in an action's payload.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  func route(
    _ action: Action, _ transaction: inout Transaction
  ) throws(DispatchError) -> Routed {
    let payload = action.payload.mapValue ?? Map()
    let url = payload["url"]?.textValue ?? ""
    do throws(RoutingError) {
      let target = Redirect(
        to: url, passing: payload["params"]?.mapValue ?? Map(),
        option: try Self.option(payload["option"], url))
      var sequence = RoutingSequence(
        session: session, purpose: .navigation,
        ids: transaction.navigation?.ids ?? ScreenIDs(in: session.navigationTree))
      let destination = try sequence.destination(of: target)
      transaction.navigation?.ids = sequence.ids
      switch destination {
      case .screen(let screen, var result, let route):
        result.option = (result.option ?? .show).filled(from: payload)
        var routed = Routed(url: result.url, route: route)
        routed.actions = try present(screen, result, route)
        routed.finished = FinishedRouting(result: result, screen: screen)
        if let origin = payload["origin"] {
          for index in routed.actions.indices { routed.actions[index].say(origin, as: "origin") }
        }
        return routed
      case .handled(let result):
        return Routed(
          url: url, finished: result.map { FinishedRouting(result: $0, screen: nil) })
      }
    } catch {
      throw .routing(error)
    }
  }

  private static func option(_ value: Value?, _ url: Text) throws(RoutingError) -> RoutingOption? {
    guard let value, value != .null else { return nil }
    if let option = RoutingOption(reading: value) { return option }
    throw RoutingError(url, .noPresenter(option: Text(value.canonicalText), nearest: nil))
  }

  /// Asks the option's presenter for the actions that show the screen.
  private func present(
    _ screen: Screen, _ result: RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> [Action] {
    let option: RoutingOption = result.option ?? .show
    let router = session.modules.registry.router
    guard let presenter = router.routingPresenter(for: option.kind) else {
      let nearest = Spelling.nearest(to: option.kind.string, in: router.optionKinds)
      throw RoutingError(
        result.url, .noPresenter(option: option.kind, nearest: nearest), route: route)
    }
    let actions: [Action]
    do throws(Fault) {
      actions = try session.caller.call(presenter) {
        let actions = try presenter.part.body(screen, option, $0)
        try WrongNavigation.check(actions, of: "a routing presenter", mayRoute: false)
        return actions
      }
    } catch {
      throw RoutingError(result.url, .fault(error), route: route)
    }
    CompletionStage(session: session).tell(
      ScreenEvent(
        stage: .willRoute, screen: screen, windowID: nil, isAnimated: option.isAnimated ?? true))
    return actions
  }
}

extension RoutingOption {
  /// Returns the option with fields of the action's payload that it lacks.
  fileprivate func filled(from payload: Map) -> RoutingOption {
    var option = self
    for key: Key in ["animated", "window"] where option.fields[key] == nil {
      option.fields[key] = payload[key]
    }
    return option
  }
}

extension Action {
  fileprivate mutating func say(_ value: Value, as field: Key) {
    guard case .map(var map) = payload else { return }
    map[field] = value
    payload = .map(map)
  }
}
