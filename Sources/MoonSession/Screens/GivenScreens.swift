import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// The step that sets the `module` of the screens that a module in Lua gives.
///
/// The module that gives a screen answers for what its controls do. A screen of another module is
/// only given on if it is left as that one made it. Programs and people may name any module.
struct GivenScreens {
  /// The fields of a payload that hold screens and containers.
  static let fields: [Text] = ["screen", "node", "root", "tab", "screens", "tabs"]
  /// The fields of a container that hold others.
  private static let places: [Key] = ["stack", "tabs", "master", "detail"]
  /// The fields of a screen that other modules don't change when they give it on.
  private static let content: [Key] = ["kind", "url", "params", "props", "body", "module"]
  /// More levels of lists and maps than a tree may have.
  private static let depthMax = 2 * NavigationTree.depthMax

  /// The navigation, whose screens the module may give on.
  private let tree: NavigationTree
  private let giver: Value
  /// The screens that were given to the module.
  private let received: [Map]
  /// Whether screens that name no module get it, too.
  private let fills: Bool

  /// Returns an action that a module gives, with the modules of its screens set.
  ///
  /// `received` holds screens that the module may give on, besides those of the navigation: those
  /// of the action that this one takes the place of, or the one that is to be shown. `fills` is
  /// false if the cause of the action says what screens get that name no module.
  static func owned(
    _ action: Action, by module: ModuleName, in session: Session,
    receiving received: @autoclosure () -> [Map] = [], fills: Bool = true
  ) -> Action {
    guard action.type.hasPrefix("nav/"), action.typedPayload == nil,
      NavigationActions.include(action.type), let entry = session.modules[module],
      !entry.isOfProgram,
      case .map(var payload) = action.payload,
      fields.contains(where: { payload.value($0) != nil })
    else { return action }
    let screens = GivenScreens(
      tree: session.navigationTree, giver: .string(Text(module.text)), received: received(),
      fills: fills)
    for field in fields {
      guard let value = payload.value(field) else { continue }
      payload[.string(field)] = visited(value, depth: 0, screens.owned)
    }
    let given = Value.map(payload)
    guard given != action.payload, session.current.calls.ownsScreens() else {
      return action
    }
    var owned = action
    owned.payload = given
    return owned
  }

  /// Returns the screens that an action gives.
  static func screens(of action: Action) -> [Map] {
    var screens: [Map] = []
    guard NavigationActions.include(action.type), case .map(let payload) = action.payload else {
      return []
    }
    for field in fields {
      guard let value = payload.value(field) else { continue }
      _ = visited(value, depth: 0) { screen in
        screens.append(screen)
        return screen
      }
    }
    return screens
  }

  /// Returns a screen, a container or a list of them, with a function applied to each screen.
  ///
  /// What lies too deep is refused later.
  private static func visited(_ value: Value, depth: Int, _ body: (Map) -> Map) -> Value {
    guard depth <= depthMax else { return value }
    if let list = value.listValue {
      return .list(List(list.map { visited($0, depth: depth + 1, body) }))
    }
    // An empty table may be a list.
    guard case .map(var map) = value, !map.isEmpty, map["route"]?.textValue == nil else {
      return value
    }
    let held = places.filter { map[$0] ?? .null != .null }
    for field in held + ["presented"] {
      guard let value = map[field] else { continue }
      map[field] = visited(value, depth: depth + 1, body)
    }
    return .map(held.isEmpty ? body(map) : map)
  }

  private func owned(_ screen: Map) -> Map {
    guard fills || screen["module"] != nil, screen["module"] != giver, !isLeft(screen) else {
      return screen
    }
    var screen = screen
    screen["module"] = giver
    screen["generation"] = nil
    return screen
  }

  /// Whether a screen is as the module has received it, or as it is in the navigation.
  private func isLeft(_ screen: Map) -> Bool {
    if received.contains(where: { Self.isSame(screen, $0) }) { return true }
    guard let id = screen["id"]?.textValue, let shown = tree.screen(id),
      case .map(let map) = shown.value
    else { return false }
    return Self.isSame(screen, map)
  }

  /// Whether two screens are the same, but for their titles and presentations.
  private static func isSame(_ one: Map, _ other: Map) -> Bool {
    content.allSatisfy { plain(one[$0] ?? .null) == plain(other[$0] ?? .null) }
  }

  /// Returns a value with null for what is empty, since scripts have one empty table for lists and
  /// maps, and leave out what is empty.
  private static func plain(_ value: Value) -> Value {
    switch value {
    case .string(let text) where text.isEmpty: return .null
    case .list(let list) where list.isEmpty: return .null
    case .list(let list): return .list(List(list.map { plain($0) }))
    case .map(let map):
      var full = Map()
      for (key, entry) in map {
        let entry = plain(entry)
        if entry != .null { full[key] = entry }
      }
      return full.isEmpty ? .null : .map(full)
    default: return value
    }
  }
}
