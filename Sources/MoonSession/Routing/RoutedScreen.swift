import MoonActions
import MoonModules
import MoonNavigation
import MoonRouting
import MoonServiceKit
import MoonValues

/// The screen of a URL on its way into the navigation.
struct RoutedScreen {
  /// The maximum number of parents' screens below one screen, more levels than any app has.
  static let parentCountMax = 16

  let session: Session
  /// The navigation before, once the way is made.
  private(set) var tree: NavigationTree
  private(set) var screen: Screen
  private let result: RouteResult
  private let route: Bound<Route>
  private let option: RoutingOption
  private let guards: RoutingGuards
  /// The parents' screens with their routings, the lowest first.
  private var parents: [FinishedRouting] = []

  init(
    session: Session, tree: NavigationTree, screen: Screen, result: RouteResult,
    route: Bound<Route>, option: RoutingOption, guards: RoutingGuards
  ) {
    self.session = session
    self.guards = guards
    self.tree = tree
    self.screen = screen
    self.result = result
    self.route = route
    self.option = option
    let presentation = option.presentation
    // Not set again, so that the screen keeps its value.
    if presentation != screen.presentation { self.screen.presentation = presentation }
  }

  /// The routings to announce when the screen is shown.
  var finished: [FinishedRouting] {
    parents + CollectionOfOne(FinishedRouting(result: result, screen: screen))
  }

  /// Returns the actions that show the screen.
  ///
  /// - Throws: ``RoutingError``
  mutating func actions(_ ids: inout ScreenIDs) throws(RoutingError) -> [Action] {
    let way: MadeWay
    do throws(RoutingError.Reason) {
      let setting = windowID.flatMap { session.modules.registry.router.windows.settings[$0] }
      way = try MadeWay(for: option, of: route.ownerText, in: tree, setting: setting)
    } catch {
      throw RoutingError(result.url, error, route: route)
    }
    tree = way.tree
    let presenting = OptionPresenting(session: session)
    var actions: [Action]
    if let shown = shownScreen {
      _ = try presenting.presenters(for: option, result, route)
      screen.id = shown.id
      actions = [action(.backTo(.id(shown.id))), action(.update(screen))]
    } else {
      if route.part.parent != nil, isFirst { parents = try parentRoutings(&ids) }
      let below = parents.compactMap { $0.screen }
      let areOfHost: Bool
      (actions, areOfHost) = try presenting.actions(showing: screen, option, result, route)
      if below.isEmpty {
        // It stays alone.
      } else if areOfHost, option.kind != RoutingOption.modal.kind {
        actions = [action(.setNavigation(below + [screen]))]
      } else {
        let laid = NavigationAction(
          .setNavigation(below), window: option.windowID, motion: .immediate)
        actions.insert(Action(laid), at: 0)
      }
    }
    for parent in parents { if let screen = parent.screen { tellWillRoute(screen) } }
    tellWillRoute(screen)
    return way.actions.isEmpty ? actions : way.actions + actions
  }

  private func action(_ operation: NavigationAction.Operation) -> Action {
    Action(
      NavigationAction(
        operation, window: option.windowID,
        motion: option.isAnimated.map { $0 ? .animated : .immediate }))
  }

  private func tellWillRoute(_ screen: Screen) {
    CompletionStage(session: session).tell(
      .willRoute, of: screen, in: nil, isAnimated: option.isAnimated ?? true)
  }

  private var windowID: Text? { option.windowID ?? tree.keyWindowID }

  /// The existing screen with the URL of a screen that is shown only once.
  private var shownScreen: Screen? {
    guard option.isOnce, let url = screen.url, let windowID else { return nil }
    return tree.screenOnWayBack(with: url, inWindow: windowID)
  }

  // MARK: Parents

  /// Whether the screen is the first one of an empty stack.
  private var isFirst: Bool {
    guard option.kind != RoutingOption.root.kind, option.kind != RoutingOption.unpresented.kind,
      let windowID
    else { return false }
    return tree.topNode(ofWindow: windowID)?.isEmptyStack ?? false
  }

  /// Makes the screens of the route's parents.
  ///
  /// A parent that can't be made is omitted together with its own parents, and the screen itself is
  /// still shown.
  private func parentRoutings(_ ids: inout ScreenIDs) throws(RoutingError) -> [FinishedRouting] {
    var found: [FinishedRouting] = []
    var urls = [result.url]
    var (lowest, route) = (result, route)
    while let parent = route.part.parent {
      guard let url = url(of: parent, below: lowest) else { break }
      guard !urls.contains(url) else {
        throw RoutingError(result.url, .parentLoop(urls + [url]), route: self.route)
      }
      urls.append(url)
      guard urls.count - 1 <= Self.parentCountMax else {
        throw RoutingError(
          result.url, .tooManyParents(urls, max: Self.parentCountMax), route: self.route)
      }
      guard let made = try made(url, &ids), !urls.dropLast().contains(made.result.url) else {
        break
      }
      (lowest, route) = (made.result, made.route)
      found.insert(FinishedRouting(result: made.result, screen: made.screen), at: 0)
    }
    return found
  }

  private func url(of parent: ParentRoute, below lowest: RouteResult) -> Text? {
    let plus = session.modules.registry.router.routing.urls.plus
    do throws(RouteURLError) {
      return try parent.url(below: lowest.parameters, plus: plus)
    } catch {
      session.fail(.route(lowest.url), .routing(RoutingError(lowest.url, .parent(error))))
      return nil
    }
  }

  /// Makes the screen of a parent; nil if that fails, which is reported.
  ///
  /// - Throws: ``RoutingError`` if a guard must be waited for.
  private func made(
    _ url: Text, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> (screen: Screen, result: RouteResult, route: Bound<Route>)? {
    let sequence = RoutingSequence(session: session, purpose: .screen, guards: guards)
    // Those that a parent has taken stay free if it can't be made.
    var taken = ids
    do throws(RoutingError) {
      let destination = try sequence.destination(of: RoutedURL(url: url), &taken)
      ids = taken
      guard case .screen(let screen, let result, let route) = destination else { return nil }
      return (screen, result, route)
    } catch {
      if error.isWaiting { throw error }
      if case .fault(let fault) = error.reason {
        session.caller.note(fault)
      } else {
        session.fail(.route(url), .routing(error))
      }
      return nil
    }
  }
}
