import MoonNavigation
import MoonStore
import MoonValues

/// Turning what navigation actions name by URL into screens.
extension Session {
  /// The payload with screens where URLs stood, and ids where none were given.
  ///
  /// A screen is a text, `{route = URL, params = {…}}`, or itself; a stack and tabs hold several.
  func resolved(_ action: Action, _ work: inout Work) throws(DispatchError) -> Value {
    guard case .map(var payload) = action.payload else { return action.payload }
    let owner: ModuleName? =
      if case .module(let name, _) = action.meta.cause { ModuleName(name) } else { nil }
    for field: Key in ["screen", "node", "root", "tab"] {
      guard let value = payload[field], value != .null else { continue }
      payload[field] = try node(value, of: owner, &work, depth: 0)
    }
    for field: Key in ["screens", "tabs"] {
      guard let value = payload[field] else { continue }
      // An empty table from Lua is a map.
      let list = value.listValue ?? (value.mapValue?.isEmpty == true ? List() : nil)
      if let list { payload[field] = .list(try nodes(list, of: owner, &work, depth: 0)) }
    }
    return .map(payload)
  }

  private func nodes(
    _ list: List, of owner: ModuleName?, _ work: inout Work, depth: Int
  ) throws(DispatchError) -> List {
    var made: [Value] = []
    for value in list { made.append(try node(value, of: owner, &work, depth: depth)) }
    return List(made)
  }

  private func node(
    _ value: Value, of owner: ModuleName?, _ work: inout Work, depth: Int
  ) throws(DispatchError) -> Value {
    guard depth < NavigationTree.depthMax else {
      throw .navigation(.refused(.limitExceeded(.depth, max: NavigationTree.depthMax)))
    }
    switch value {
    case .string(let url): return try screen(url, Map(), &work).value
    case .map(var map):
      if let url = map["route"]?.textValue {
        return try screen(url, map["params"]?.mapValue ?? Map(), &work).value
      }
      var word: Text = "screen"
      for container: Key in ["stack", "tabs"] {
        guard let items = map[container] else { continue }
        word = container == "stack" ? "stack" : "tabs"
        // What is neither a list nor Lua's empty table is refused where the node is read.
        if let list = items.listValue ?? (items.mapValue?.isEmpty == true ? List() : nil) {
          map[container] = .list(try nodes(list, of: owner, &work, depth: depth + 1))
        }
      }
      if let presented = map["presented"] {
        map["presented"] = try node(presented, of: owner, &work, depth: depth + 1)
      }
      if word == "screen" {
        if let kind = map["kind"]?.textValue, !kind.isEmpty { word = kind }
        if map["module"] == nil, let owner { map["module"] = .string(Text(owner.text)) }
      }
      if map["id"] == nil {
        map["id"] = .string(Self.freshID(for: word, in: work.tree, besides: work.takenIDs))
      }
      if let id = map["id"]?.textValue { work.takenIDs.insert(id) }
      return .map(map)
    default: return value
    }
  }

  private func screen(
    _ url: Text, _ parameters: Map, _ work: inout Work
  ) throws(DispatchError) -> Screen {
    do throws(RoutingError) {
      let screen = try screen(for: url, passing: parameters, &work)
      tell(ScreenEvent(stage: .willRoute, screen: screen, windowID: nil, isAnimated: true))
      return screen
    } catch {
      throw .routing(error)
    }
  }
}
