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
    /// The routings to announce when the actions are done.
    var finished = Few<FinishedRouting>()

    /// Removes and returns the actions, so that no one else holds them.
    mutating func takeActions() -> [Action] {
      defer { actions = [] }
      return actions
    }

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
    _ action: Action, _ work: NavigationWork
  ) throws(DispatchError) -> Routed {
    let whole = action.payload.mapValue ?? Map()
    let url = whole[.url]?.textValue ?? ""
    // Mostly there is nothing else, and nothing is looked for then.
    let payload = whole.count > 1 ? whole : Map()
    let guards = work.guards(of: action)
    do throws(RoutingError) {
      let target = Redirect(
        to: url, passing: payload[.params]?.mapValue ?? Map(),
        option: try Self.option(payload[.option], url))
      var sequence = RoutingSequence(
        session: session, purpose: .navigation, guards: guards, ids: work.ids)
      let destination = try sequence.destination(of: target)
      defer { work.ids = sequence.ids }
      switch destination {
      case .screen(let screen, var result, let route):
        let option = (result.option ?? .show).filled(from: payload)
        if option != result.option { result.option = option }
        var showing = RoutedScreen(
          session: session, tree: work.tree,
          screen: screen, result: result, route: route, guards: guards)
        var routed = Routed(url: result.url, route: route)
        routed.actions = try showing.actions(&sequence.ids)
        routed.finished = showing.finished
        showing.note(in: work)
        if let origin = payload[.origin] {
          for index in routed.actions.indices { routed.actions[index].say(origin, as: "origin") }
        }
        return routed
      case .handled(let result):
        return Routed(
          url: url,
          finished: result.map { .one(FinishedRouting(result: $0, screen: nil)) } ?? .none)
      }
    } catch {
      throw .routing(error)
    }
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
  fileprivate mutating func say(_ value: Value, as field: Key) {
    guard case .map(var map) = payload else { return }
    map[field] = value
    payload = .map(map)
  }
}
