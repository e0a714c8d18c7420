import MoonNavigation
import MoonRouting
import MoonStore
import MoonValues

/// Who has a part in routing and in screens: frozen, and built anew when modules have changed.
final class Router {
  /// A route with its owner.
  final class BoundRoute {
    let owner: ModuleName
    let route: ModuleRoute

    init(_ route: ModuleRoute, of module: Module) {
      owner = module.name
      self.route = route
    }

    /// The kind of its screens that have none of their own.
    var kind: Text { route.kind ?? route.name ?? Text(owner.text) }
  }

  /// Something a module registered, with its owner.
  struct Owned<Part> {
    let owner: ModuleName
    let part: Part
  }

  /// By the number that the table knows them by.
  let routes: [BoundRoute]
  /// Those of low priority first.
  let optionProviders: [Owned<OptionProvider>]
  /// Those of high priority first, as all that follow.
  let observers: [Owned<RoutingObserver>]
  let presenters: [Owned<Presenter>]
  let unmatched: [Owned<UnmatchedHandler>]
  private let routingPresenters: [Text: Owned<RoutingPresenter>]
  private let views: [Text: Owned<View>]
  private let lifecycle: [ModuleName: [ScreenStage: [LifecycleListener]]]
  private let entries: [Route]
  let routing: RoutingRules
  private var builtTable: RouteTable?
  private var foundConflicts: [RouteConflict]?

  init(modules: [Module], routing: RoutingRules, former: Router?) {
    self.routing = routing
    routes = modules.flatMap { module in module.routes.map { BoundRoute($0, of: module) } }
    optionProviders = Self.all(modules, \.optionProviders) { -$0.priority }
    observers = Self.all(modules, \.routingObservers) { $0.priority }
    presenters = Self.all(modules, \.presenters) { $0.priority }
    unmatched = modules.compactMap { module in
      module.unmatched.map { Owned(owner: module.name, part: $0) }
    }
    let presenting =
      Self.all(modules, \.routingPresenters) { $0.priority }
      + RoutingPresenter.builtIn.map { Owned(owner: .navigation, part: $0) }
    routingPresenters = Dictionary(
      presenting.map { ($0.part.kind, $0) },
      uniquingKeysWith: { $1.part.priority > $0.part.priority ? $1 : $0 })
    views = Self.views(modules)
    lifecycle = Dictionary(
      uniqueKeysWithValues: modules.filter { !$0.lifecycle.isEmpty }.map {
        ($0.name, Dictionary(grouping: $0.lifecycle, by: \.stage))
      })
    entries = routes.enumerated().map { index, bound in
      Route(
        bound.route.pattern, owner: Text(bound.owner.text), id: index,
        priority: bound.route.priority, name: bound.route.name,
        place: bound.route.registration.place)
    }
    if let former, former.entries == entries {
      builtTable = former.builtTable
      foundConflicts = former.foundConflicts
    }
  }

  /// Whether the app navigates at all.
  var isInUse: Bool { !routes.isEmpty || !views.isEmpty }

  /// Finds routes; built when it is first needed.
  var table: RouteTable {
    if let builtTable { return builtTable }
    let table = builder.build()
    builtTable = table
    return table
  }

  /// The routes that get in each other's way; found when they are first asked for.
  var conflicts: [RouteConflict] {
    if let foundConflicts { return foundConflicts }
    let found = builder.conflicts()
    foundConflicts = found
    return found
  }

  /// The first route that takes a URL, nil for none; what it leads to may decline all the same.
  func firstRoute(taking url: Text) -> BoundRoute? {
    guard let request = try? RouteRequest(parsing: url, options: routing.urls),
      let match = table.firstMatch(request)
    else { return nil }
    return routes[match.id]
  }

  /// The URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  func url(for name: Text, _ parameters: Map) throws(RouteURLError) -> Text {
    try table.url(for: name, parameters, plus: routing.urls.plus)
  }

  func routingPresenter(for kind: Text) -> Owned<RoutingPresenter>? { routingPresenters[kind] }

  /// The kinds of routing options that somebody presents, in order.
  var optionKinds: [String] { routingPresenters.keys.map(\.string).sorted() }

  /// The view for a kind of a module's screens: its own before another's.
  func view(of module: Text, kind: Text) -> Owned<View>? {
    views[Text("\(module)/\(kind)")]
  }

  func listeners(of module: ModuleName, _ stage: ScreenStage) -> [LifecycleListener] {
    lifecycle[module]?[stage] ?? []
  }

  private var builder: RouteTableBuilder {
    var builder = RouteTableBuilder()
    builder.closedSchemes = routing.closedSchemes
    for entry in entries {
      do throws(RouteTableBuilder.Full) {
        try builder.add(entry)
      } catch {
        // Left out; it takes dozens of modules that are full themselves, see `PatternCount`.
        continue
      }
    }
    return builder
  }

  /// Stable: those of one priority stay in the order of modules.
  private static func all<Part>(
    _ modules: [Module], _ parts: (Module) -> [Part], rank: (Part) -> Int
  ) -> [Owned<Part>] {
    let all = modules.flatMap { module in
      parts(module).map { Owned(owner: module.name, part: $0) }
    }
    return all.enumerated().sorted { left, right in
      let (first, second) = (rank(left.element.part), rank(right.element.part))
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }

  /// By `module/kind`; own ones win, then the first.
  private static func views(_ modules: [Module]) -> [Text: Owned<View>] {
    var own: [Text: Owned<View>] = [:]
    var others: [Text: Owned<View>] = [:]
    for module in modules {
      for view in module.views {
        let bound = Owned(owner: module.name, part: view)
        if view.kind.string.utf8.contains(UInt8(ascii: "/")) {
          if others[view.kind] == nil { others[view.kind] = bound }
        } else {
          own[Text("\(module.name)/\(view.kind)")] = bound
        }
      }
    }
    return others.merging(own) { $1 }
  }
}
