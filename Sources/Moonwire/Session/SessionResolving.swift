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
      let path = Path([Path.Component(field)])
      payload[field] = try node(value, at: path, of: owner, &work, depth: 0)
    }
    for field: Key in ["screens", "tabs"] {
      guard let value = payload[field] else { continue }
      // An empty table from Lua is a map.
      let list = value.listValue ?? (value.mapValue?.isEmpty == true ? List() : nil)
      let path = Path([Path.Component(field)])
      if let list { payload[field] = .list(try nodes(list, at: path, of: owner, &work, depth: 0)) }
    }
    return .map(payload)
  }

  /// What is passed by name: none for nothing and for an empty table, nil for what has no names.
  static func parameters(_ value: Value?) -> Map? {
    switch value {
    case nil, .null: Map()
    case .list(let list) where list.isEmpty: Map()
    case let value?: value.mapValue
    }
  }

  private func nodes(
    _ list: List, at path: Path, of owner: ModuleName?, _ work: inout Work, depth: Int
  ) throws(DispatchError) -> List {
    var made: [Value] = []
    for (index, value) in list.enumerated() {
      let path = path.appending(.index(Int64(index) + 1))
      made.append(try node(value, at: path, of: owner, &work, depth: depth))
    }
    return List(made)
  }

  private func node(
    _ value: Value, at path: Path, of owner: ModuleName?, _ work: inout Work, depth: Int
  ) throws(DispatchError) -> Value {
    guard depth < NavigationTree.depthMax else {
      throw .navigation(.refused(.limitExceeded(.depth, max: NavigationTree.depthMax)))
    }
    switch value {
    case .string(let url): return try screen(url, Map(), &work).value
    case .map(var map):
      if let url = map["route"]?.textValue {
        guard let parameters = Self.parameters(map["params"]) else {
          throw .navigation(.malformed(.wrongKind(path.appending(.key("params")), expected: .map)))
        }
        return try screen(url, parameters, &work).value
      }
      var word: Text = "screen"
      for container: Key in ["stack", "tabs"] {
        guard let items = map[container] else { continue }
        word = container == "stack" ? "stack" : "tabs"
        // What is neither a list nor Lua's empty table is refused where the node is read.
        if let list = items.listValue ?? (items.mapValue?.isEmpty == true ? List() : nil) {
          let path = path.appending(Path.Component(container))
          map[container] = .list(
            try nodes(list, at: path, of: owner, &work, depth: depth + 1))
        }
      }
      if let presented = map["presented"] {
        map["presented"] = try node(
          presented, at: path.appending(.key("presented")), of: owner, &work, depth: depth + 1)
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
