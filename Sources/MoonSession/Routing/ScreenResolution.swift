import MoonActions
package import MoonModules
import MoonNavigation
import MoonServiceKit
package import MoonValues

/// The step that makes the screens which a navigation action names by URL.
struct ScreenResolution {
  let session: Session
  /// The module that dispatched the action; nil if no module did.
  private let owner: ModuleName?
  private let guards: RoutingGuards
  private var ids: ScreenIDs
  private var routings: [FinishedRouting] = []
  private var nodeCount = 0
  /// The number of values looked through for ids.
  private var visitCount = 0

  /// Returns the payload of an action with screens in place of URLs, and with ids where there were
  /// none.
  ///
  /// A screen is given as a URL, as `{route = URL, params = {…}}`, or as itself. Containers
  /// hold several.
  ///
  /// - Throws: ``DispatchError``.
  static func payload(
    of action: Action, _ work: PendingNavigation, in session: Session
  ) throws(DispatchError) -> Value {
    guard case .map(let payload) = action.payload, holdsScreens(payload) else {
      return action.payload
    }
    var resolution = ScreenResolution(session: session, action: action, in: work)
    let resolved = try resolution.resolved(payload)
    work.ids = resolution.ids
    work.routings.append(contentsOf: resolution.routings)
    return .map(resolved)
  }

  private init(session: Session, action: Action, in work: PendingNavigation) {
    self.session = session
    ids = work.ids
    guards = work.guards(of: action)
    owner = if case .module(let name, _) = action.cause { ModuleName(name) } else { nil }
  }

  private mutating func resolved(_ payload: Map) throws(DispatchError) -> Map {
    var payload = payload
    for field in GivenScreens.fields { takeIDs(in: payload.value(field), depth: 0) }
    for field: Key in ["screen", "node", "root", "tab"] {
      guard let value = payload[field], value != .null else { continue }
      payload[field] = try node(value, at: Path([Path.Component(field)]), depth: 0)
    }
    for field: Key in ["screens", "tabs"] {
      guard let list = payload[field]?.listOrEmpty else { continue }
      payload[field] = .list(try nodes(list, at: Path([Path.Component(field)]), depth: 0))
    }
    return payload
  }

  private static func holdsScreens(_ payload: Map) -> Bool {
    GivenScreens.fields.contains { payload.value($0) != nil }
  }

  /// Takes the ids that the action gives, so that those made for other screens differ from them.
  ///
  /// Screens beyond the limits have no effect here, since they are refused afterwards.
  private mutating func takeIDs(in value: Value?, depth: Int) {
    guard let value, depth < NavigationTree.depthMax,
      visitCount <= 2 * NavigationTree.nodeCountMax
    else { return }
    visitCount += 1
    if let list = value.listValue {
      for one in list.prefix(NavigationTree.nodeCountMax) { takeIDs(in: one, depth: depth + 1) }
    } else if case .map(let map) = value, map["route"] == nil {
      if let id = map["id"]?.textValue { ids.take(id) }
      for field: Key in ["stack", "tabs", "master", "detail", "presented"] {
        takeIDs(in: map[field], depth: depth + 1)
      }
    }
  }

  private mutating func nodes(
    _ list: List, at path: Path, depth: Int
  ) throws(DispatchError) -> List {
    // Checked before any screen is made, since a list may have any length.
    nodeCount += list.count
    guard nodeCount <= NavigationTree.nodeCountMax else {
      throw .navigation(.refused(.limitExceeded(.nodes, max: NavigationTree.nodeCountMax)))
    }
    var made: [Value] = []
    for (index, value) in list.enumerated() {
      made.append(try node(value, at: path.appending(.index(Int64(index) + 1)), depth: depth))
    }
    return List(made)
  }

  private mutating func node(
    _ value: Value, at path: Path, depth: Int
  ) throws(DispatchError) -> Value {
    guard depth < NavigationTree.depthMax else {
      throw .navigation(.refused(.limitExceeded(.depth, max: NavigationTree.depthMax)))
    }
    switch value {
    case .string(let url): return try screen(url, Map()).value
    case .map(let map):
      guard let url = map["route"]?.textValue else {
        return .map(try node(map, at: path, depth: depth))
      }
      guard let parameters = Redirect.parameters(map["params"]) else {
        throw .navigation(.malformed(.wrongKind(path.appending(.key("params")), expected: .map)))
      }
      return try screen(url, parameters).value
    default: return value
    }
  }

  /// Completes a screen or a container that is given as itself.
  private mutating func node(
    _ node: Map, at path: Path, depth: Int
  ) throws(DispatchError) -> Map {
    var map = node
    var word: Text = "screen"
    for container in ["stack", "tabs"] as [Text] {
      guard let items = map[.string(container)] else { continue }
      word = container
      // Reading the node refuses anything but a list or Lua's empty table.
      guard let list = items.listOrEmpty else { continue }
      let path = path.appending(.key(container))
      map[.string(container)] = .list(try nodes(list, at: path, depth: depth + 1))
    }
    for (field, container) in [("master", "split"), ("detail", "split"), ("presented", nil)]
      as [(Text, Text?)]
    {
      guard let item = map[.string(field)] else { continue }
      word = container ?? word
      map[.string(field)] = try self.node(
        item, at: path.appending(.key(field)), depth: depth + 1)
    }
    if word == "screen" {
      if let kind = map["kind"]?.textValue, !kind.isEmpty { word = kind }
      if map["module"] == nil, let owner { map["module"] = .string(Text(owner.text)) }
    }
    if map["id"] == nil { map["id"] = .string(ids.fresh(for: word)) }
    if let id = map["id"]?.textValue { ids.take(id) }
    return map
  }

  private mutating func screen(
    _ url: Text, _ parameters: Map
  ) throws(DispatchError) -> Screen {
    let sequence = RoutingSequence(session: session, purpose: .screen, guards: guards)
    do throws(RoutingError) {
      let routed = RoutedURL(url: url, parameters: parameters)
      let (screen, routing) = try sequence.screen(for: routed, &ids)
      routings.append(routing)
      CompletionStage(session: session).tell(.willRoute, of: screen, in: nil, isAnimated: true)
      return screen
    } catch {
      CompletionStage(session: session).tell(error, of: url)
      throw .routing(error)
    }
  }
}

extension RoutingSequence {
  /// Makes the screen for a URL without showing it.
  ///
  /// - Throws: ``RoutingError``
  func screen(
    for routed: RoutedURL, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> (Screen, FinishedRouting) {
    guard case .screen(let screen, let result, _) = try destination(of: routed, &ids)
    else { throw RoutingError(routed.url, .noRoute(nearest: nil)) }
    return (screen, FinishedRouting(result: result, screen: screen))
  }
}

extension Redirect {
  /// Reads parameters passed by name.
  ///
  /// No value and an empty table give an empty map; anything without names gives nil.
  package static func parameters(_ value: Value?) -> Map? {
    switch value {
    case nil, .null: Map()
    case .list(let list) where list.isEmpty: Map()
    case let value?: value.mapValue
    }
  }
}

extension Value {
  /// The list, or an empty one for an empty table of Lua, which arrives as a map.
  fileprivate var listOrEmpty: List? {
    listValue ?? (mapValue?.isEmpty == true ? List() : nil)
  }
}
