import MoonNavigation
import MoonRouting
public import MoonValues

/// A URL with the route that takes it and its parameters.
///
/// Everything that takes part in a routing receives one. A copy costs a reference.
public struct RouteResult: Sendable, Equatable {
  /// The fields that never change, in an object of their own, since another option is chosen
  /// mostly.
  fileprivate final class Fields: Sendable {
    let url: Text
    let pattern: Text
    let name: Text?
    let scheme: Text?
    let module: ModuleName
    let parameters: Map
    let wildcard: List?
    let redirectedFrom: [Text]

    init(
      _ match: RouteMatch, of module: ModuleName, name: Text?, parameters: Map, wildcard: List?,
      redirectedFrom: [Text]
    ) {
      (url, pattern, self.name) = (match.request.text, match.patternText, name)
      (scheme, self.module) = (match.scheme, module)
      (self.parameters, self.wildcard) = (parameters, wildcard)
      self.redirectedFrom = redirectedFrom
    }
  }

  // An object, since a routing passes the result on dozens of times.
  private final class Storage: Sendable {
    let fields: Fields
    let option: RoutingOption?
    /// The result as scripts see it, as it was first.
    let first: Map
    /// Whether it has another option since.
    let hasChanged: Bool
    /// The changed result as scripts see it, made once for all that take part in a routing.
    let shown = KeptMap()

    init(_ fields: Fields, _ option: RoutingOption?, first: Map, hasChanged: Bool) {
      self.fields = fields
      self.option = option
      self.first = first
      self.hasChanged = hasChanged
    }
  }

  private var storage: Storage

  /// The URL.
  public var url: Text { storage.fields.url }
  /// The route's pattern as it was registered.
  public var pattern: Text { storage.fields.pattern }
  /// The route's name.
  public var name: Text? { storage.fields.name }
  /// The namespace that the route was found in; nil for the global one.
  public var scheme: Text? { storage.fields.scheme }
  /// The module that the route belongs to.
  public var module: ModuleName { storage.fields.module }
  /// The parameters of the query, replaced by those of the path, replaced by those passed.
  public var parameters: Map { storage.fields.parameters }
  /// The components that a `*` matched, decoded; nil for a pattern without one.
  public var wildcard: List? { storage.fields.wildcard }
  /// The way of presenting the screen, as far as it is decided; nil if it isn't.
  public internal(set) var option: RoutingOption? {
    get { storage.option }
    set { storage = Storage(storage.fields, newValue, first: storage.first, hasChanged: true) }
  }
  /// The URLs that redirected here, the first one first.
  public var redirectedFrom: [Text] { storage.fields.redirectedFrom }

  init(
    _ match: RouteMatch, of module: ModuleName, _ route: RoutePattern, name: Text?,
    passing passed: Map, option: RoutingOption?, redirectedFrom: [Text]
  ) {
    let wildcard = match.wildcard
    let parameters = match.parameters(passing: passed)
    let fields = Fields(
      match, of: module, name: name, parameters: parameters, wildcard: wildcard,
      redirectedFrom: redirectedFrom)
    let shown = ShownRoute(
      fields: fields, option: option, expandedPattern: match.expandedPatternText(of: route),
      parameters: wildcard == nil ? parameters : match.parametersWithWildcard(passing: passed))
    storage = Storage(fields, option, first: shown.map, hasChanged: false)
  }

  /// The result as scripts see it.
  ///
  /// The shape is `{url, pattern, name, scheme, module, params, wildcard, option,
  /// redirected_from}`. For compatibility, `params` also holds the names by which JLRoutes and
  /// VISPER pass the wildcard, and the map itself holds those for the pattern, the URL and the
  /// scheme.
  public var value: Value {
    guard storage.hasChanged else { return .map(storage.first) }
    if let shown = storage.shown.map { return .map(shown) }
    var shown = storage.first
    shown["option"] = option?.value
    return .map(storage.shown.keep(shown))
  }

  /// Compares all fields; copies of one result cost nothing.
  public static func == (left: RouteResult, right: RouteResult) -> Bool {
    if left.storage === right.storage { return true }
    let (one, other) = (left.storage.fields, right.storage.fields)
    return one.url == other.url && one.pattern == other.pattern && one.name == other.name
      && one.scheme == other.scheme && one.module == other.module
      && one.parameters == other.parameters && one.wildcard == other.wildcard
      && left.option == right.option && one.redirectedFrom == other.redirectedFrom
      && left.value == right.value
  }
}

/// A result as scripts see it.
///
/// All results with the same fields share the keys, which takes half the instructions of a map that
/// is made from pairs.
private struct ShownRoute {
  let fields: RouteResult.Fields
  let option: RoutingOption?
  let expandedPattern: Text
  let parameters: Map

  /// The fields, in the order of their names.
  private enum Field: Int, CaseIterable {
    case expandedPattern, inheritedScheme, expandedURL, registeredPattern, inheritedURL
    case module, name, option, params, pattern, redirectedFrom, scheme, url, wildcard
  }

  private static let names: [Text] = [
    "JLRoutePattern", "JLRouteScheme", "JLRouteURL", "RoutePattern", "RouteURL", "module", "name",
    "option", "params", "pattern", "redirected_from", "scheme", "url", "wildcard",
  ]

  /// The fields that not every result has; their positions are those of their flags.
  private static let optional: [Field] = [.name, .option, .redirectedFrom, .scheme, .wildcard]

  /// The keys and the fields by the flags of the optional ones.
  private static let shapes = (0..<(1 << optional.count)).map { flags in
    let shown = Field.allCases.filter { field in
      optional.firstIndex(of: field).map { flags >> $0 & 1 == 1 } ?? true
    }
    return (keys: RecordKeys(shown.map { names[$0.rawValue] }), fields: shown)
  }

  var map: Map {
    let shape = Self.shapes[flags]
    return shape.keys.map { value(of: shape.fields[$0]) }
  }

  private var flags: Int {
    var flags = fields.name == nil ? 0 : 1
    if option != nil { flags |= 2 }
    if !fields.redirectedFrom.isEmpty { flags |= 4 }
    if fields.scheme != nil { flags |= 8 }
    return fields.wildcard == nil ? flags : flags | 16
  }

  private func value(of field: Field) -> Value {
    switch field {
    case .expandedPattern: .string(expandedPattern)
    case .inheritedScheme: .string(fields.scheme ?? RouteMatch.globalScheme)
    case .module: .string(Text(fields.module.text))
    case .name: .string(fields.name ?? "")
    case .option: option?.value ?? .null
    case .params: .map(parameters)
    case .pattern, .registeredPattern: .string(fields.pattern)
    case .redirectedFrom: .list(List(fields.redirectedFrom.map { .string($0) }))
    case .scheme: .string(fields.scheme ?? "")
    case .url, .expandedURL, .inheritedURL: .string(fields.url)
    case .wildcard: .list(fields.wildcard ?? List())
    }
  }
}
