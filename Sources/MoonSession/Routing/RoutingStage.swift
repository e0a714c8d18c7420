import MoonActions
import MoonModules
import MoonNavigation
import MoonValues

/// The host's own part of stage 3 for `nav/route`: a URL becomes changes of the navigation.
struct RoutingStage {
  let session: Session

  /// The actions that a routing leads to.
  struct Routed {
    var actions: [Action] = []
    /// The route to the screen that they show.
    var route: Bound<Route>?
    /// The routings to announce when the actions are done.
    var finished: [FinishedRouting] = []

    /// Removes and returns the actions, so that no one else holds them.
    mutating func takeActions() -> [Action] {
      defer { actions = [] }
      return actions
    }

    /// Adds the URL and its route to the error of one of the actions.
    func explained(_ error: DispatchError) -> DispatchError {
      guard case .navigation(let problem) = error, let url = finished.last?.result.url
      else { return error }
      return .routing(RoutingError(url, .navigation(problem), route: route))
    }
  }

  /// Routes the URL in an action's payload.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  func route(
    _ action: Action, _ work: PendingNavigation
  ) throws(DispatchError) -> Routed {
    let payload = action.payload.mapValue ?? Map()
    // Usually there is only the URL, and nothing else is looked for.
    let more = payload.count > 1 ? payload : nil
    let sequence = RoutingSequence(
      session: session, purpose: .navigation, guards: work.guards(of: action))
    do throws(RoutingError) {
      let first = try Self.routedURL(of: payload, isAlone: more == nil)
      switch try sequence.destination(of: first, &work.ids) {
      case .screen(let screen, let result, let route):
        return try routed(screen, result, route, sequence.guards, more, work)
      case .handled(let result):
        return Routed(
          finished: result.map { [FinishedRouting(result: $0, screen: nil)] } ?? [])
      }
    } catch {
      throw .routing(error)
    }
  }

  /// Returns the actions that show a screen; `payload` says how, if there is one.
  private func routed(
    _ screen: consuming Screen, _ result: consuming RouteResult, _ route: Bound<Route>,
    _ guards: RoutingGuards, _ payload: Map?, _ work: PendingNavigation
  ) throws(RoutingError) -> Routed {
    var option = result.option ?? .show
    if let payload { option = option.filled(from: payload) }
    if result.option != option { result.option = option }
    var showing = RoutedScreen(
      session: session, tree: work.tree,
      screen: screen, result: result, route: route, option: option, guards: guards)
    var actions = try showing.actions(&work.ids)
    if let origin = payload?[.origin] {
      for index in actions.indices { actions[index].setOrigin(origin) }
    }
    return Routed(actions: actions, route: route, finished: showing.finished)
  }

  /// Reads what is to be routed.
  private static func routedURL(
    of payload: Map, isAlone: Bool
  ) throws(RoutingError) -> RoutedURL {
    let url = payload[.url]?.textValue ?? ""
    if isAlone { return RoutedURL(url: url) }
    return RoutedURL(
      url: url, parameters: payload[.params]?.mapValue ?? Map(),
      option: try option(payload[.option], url))
  }

  private static func option(_ value: Value?, _ url: Text) throws(RoutingError) -> RoutingOption? {
    guard let value, value != .null else { return nil }
    do throws(RoutingOptionError) {
      return try RoutingOption(reading: value)
    } catch {
      throw RoutingError(url, .option(error))
    }
  }
}

extension RoutingOption {
  /// Returns the option with fields of the action's payload that it lacks.
  fileprivate func filled(from payload: Map) -> RoutingOption {
    var option = self
    option.take(.animated, from: payload)
    option.take(.window, from: payload)
    return option
  }

  private mutating func take(_ key: Key, from payload: Map) {
    if let value = payload[key], fields[key] == nil { fields[key] = value }
  }
}

extension Action {
  fileprivate mutating func setOrigin(_ value: Value) {
    if var navigation, let origin = value.textValue.flatMap({ NavigationOrigin($0) }) {
      navigation.origin = origin
      self.navigation = navigation
    } else if case .map(var map) = payload {
      map[.origin] = value
      payload = .map(map)
    }
  }
}
