package import MoonModules
import MoonNavigation
package import MoonRouting
package import MoonValues

/// The registrations that take part in routing and in screens, immutable.
///
/// It is rebuilt when modules change.
package final class Router {
  /// The routes, by their numbers in the table.
  package let routes: [Bound<Route>]
  /// The option providers, those of low priority first.
  let optionProviders: [Bound<OptionProvider>]
  /// The routing observers, those of high priority first, as are all that follow.
  let observers: [Bound<RoutingObserver>]
  let presenters: [Bound<Presenter>]
  let unmatched: [Bound<UnmatchedHandler>]
  private let routingPresenters: RoutingPresenters
  private let views: [Text: Bound<View>]
  private let extensions: [Text: [Bound<ViewExtension>]]
  /// The listeners to stages in the life of screens.
  let lifecycle: LifecycleTable
  /// What becomes of windows when URLs come and when the app goes back.
  let windows: WindowRegistrations
  private let entries: [RouteEntry]
  package let routing: RoutingRules
  /// The table that finds routes.
  ///
  /// It is built with the router, when modules change, so that the module that routes first doesn't
  /// pay for the routes of others.
  package let table: RouteTable
  private var foundConflicts: [RouteConflict]?

  /// The maximum number of bytes of patterns among which one is looked for that is like a URL
  /// without a route: some 1,500 routes.
  static let comparedByteCountMax = 32 << 10

  init(modules: [Module], routing: RoutingRules, former: Router?) {
    self.routing = routing
    routes = Bound.all(modules, \.routes)
    // The provider that is called last decides.
    optionProviders = Self.sorted(Bound.all(modules, \.optionProviders)) { $0 < $1 }
    observers = Self.sorted(Bound.all(modules, \.routingObservers)) { $0 > $1 }
    presenters = Self.sorted(Bound.all(modules, \.presenters)) { $0 > $1 }
    unmatched = Bound.all(modules) { [$0.hooks.unmatched].compactMap(\.self) }
    routingPresenters = RoutingPresenters(
      Bound.all(modules, \.routingPresenters) + RoutingPresenter.builtIn.map { Bound(host: $0) })
    views = Self.views(modules)
    extensions = Dictionary(grouping: Bound.all(modules, \.extensions), by: \.part.screens)
    lifecycle = LifecycleTable(modules)
    windows = WindowRegistrations(modules)
    let entries = routes.enumerated().map { index, bound in
      RouteEntry(
        bound.part.pattern, owner: bound.ownerText, id: index,
        priority: bound.part.priority, name: bound.part.name,
        place: bound.registration.place, isConditional: bound.part.isConditional)
    }
    self.entries = entries
    if let former, former.entries == entries {
      table = former.table
      foundConflicts = former.foundConflicts
    } else {
      table = Self.builder(entries, routing).build()
    }
  }

  /// Whether the patterns can be compared with a URL in a short time.
  ///
  /// - Complexity: O(routes).
  var hasFewPatterns: Bool {
    entries.reduce(0) { $0 + $1.pattern.text.utf8Count } <= Self.comparedByteCountMax
  }

  /// The routes that conflict, found when first asked for.
  package var conflicts: [RouteConflict] {
    if let foundConflicts { return foundConflicts }
    let found = Self.builder(entries, routing).conflicts()
    foundConflicts = found
    return found
  }

  /// Returns the first route that takes a URL, nil if there is none.
  ///
  /// Its target may still decline.
  package func firstRoute(taking url: Text) -> Bound<Route>? {
    guard let request = try? RouteRequest(parsing: url, options: routing.urls),
      let match = table.firstMatch(request)
    else { return nil }
    return routes[match.id]
  }

  /// Returns the URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  package func url(for name: Text, _ parameters: Map) throws(RouteURLError) -> Text {
    try table.url(for: name, parameters, plus: routing.urls.plus)
  }

  /// Returns the routing observers that decide about the routings of a pattern, in order.
  package func guards(of pattern: Text) -> [Bound<RoutingObserver>] {
    observers.filter { $0.part.will != nil && ($0.part.pattern.map { $0 == pattern } ?? true) }
  }

  /// Returns the position of a routing observer among those of its module, from 1.
  ///
  /// - Complexity: O(routing observers).
  func number(of observer: Bound<RoutingObserver>) -> Int {
    observers.count { $0.owner == observer.owner && $0.order <= observer.order }
  }

  /// Returns the position of a route among those of its module, from 1.
  ///
  /// - Complexity: O(routes of the module).
  func number(of route: Bound<Route>) -> Int {
    var first = route.order
    while first > 0, routes[first - 1].owner == route.owner { first -= 1 }
    return route.order - first + 1
  }

  /// Returns the presenters of a kind of routing option, those of high priority first.
  func routingPresenters(for kind: Text) -> [Bound<RoutingPresenter>] { routingPresenters[kind] }

  /// The kinds of routing options that have a presenter, sorted.
  package var optionKinds: [String] { routingPresenters.byKind.keys.map(\.string).sorted() }

  /// Returns the view for a kind of a module's screens: the module's own, or else another module's.
  func view(of module: Text, kind: Text) -> Bound<View>? {
    views[Text("\(module)/\(kind)")]
  }

  /// Returns other modules' extensions of a screen by slot, those of high priority first.
  func extensions(of module: Text, kind: Text) -> [Text: [Bound<ViewExtension>]] {
    guard !extensions.isEmpty, let all = extensions[Text("\(module)/\(kind)")] else { return [:] }
    return Dictionary(grouping: all, by: \.part.slot).mapValues { bound in
      bound.sorted { ($1.part.priority, $0.order) < ($0.part.priority, $1.order) }
    }
  }

  private static func builder(_ entries: [RouteEntry], _ routing: RoutingRules) -> RouteTableBuilder
  {
    var builder = RouteTableBuilder()
    builder.closedSchemes = routing.closedSchemes
    if routing.closesOwnSchemes {
      builder.closedSchemes.formUnion(entries.compactMap(\.pattern.scheme))
    }
    for entry in entries {
      do throws(RouteTableBuilder.Full) {
        try builder.add(entry)
      } catch {
        // The route is left out. This takes dozens of modules that are full themselves; see
        // `PatternCount`.
        continue
      }
    }
    return builder
  }

  /// Sorts stably: parts of equal priority stay in the order of modules.
  private static func sorted<Part: RoutingPart>(
    _ all: [Bound<Part>], by precedes: (Int, Int) -> Bool
  ) -> [Bound<Part>] {
    all.sorted { left, right in
      left.part.priority == right.part.priority
        ? left.order < right.order : precedes(left.part.priority, right.part.priority)
    }
  }

  /// Returns views by `module/kind`.
  ///
  /// A module's own view wins, then the first of another module.
  private static func views(_ modules: [Module]) -> [Text: Bound<View>] {
    var own: [Text: Bound<View>] = [:]
    var others: [Text: Bound<View>] = [:]
    for bound in Bound.all(modules, \.views) {
      let kind = bound.part.kind
      if kind.string.utf8.contains(UInt8(ascii: "/")) {
        if others[kind] == nil { others[kind] = bound }
      } else {
        own[Text("\(bound.owner)/\(kind)")] = bound
      }
    }
    return others.merging(own) { $1 }
  }
}

/// The routing presenters, found by the kind of option.
private struct RoutingPresenters {
  let byKind: [Text: [Bound<RoutingPresenter>]]
  /// The presenters of most routings.
  private let usual: [Bound<RoutingPresenter>]

  init(_ all: [Bound<RoutingPresenter>]) {
    let ranked = all.enumerated().sorted {
      ($1.element.part.priority, $0.offset) < ($0.element.part.priority, $1.offset)
    }
    byKind = Dictionary(grouping: ranked.map(\.element), by: \.part.kind)
    usual = byKind[RoutingOption.show.kind] ?? []
  }

  subscript(kind: Text) -> [Bound<RoutingPresenter>] {
    // Looking them up takes 350 instructions.
    kind == RoutingOption.show.kind ? usual : byKind[kind] ?? []
  }
}

extension Bound<Route> {
  /// The kind of its screens that have none of their own.
  var kind: Text { part.kind ?? part.name ?? ownerText }
}
