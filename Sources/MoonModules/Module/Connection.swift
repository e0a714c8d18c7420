import MoonActions
package import MoonNavigation
package import MoonValues

/// A connection of screens with the state of any number of modules: props that follow from it, and
/// actions.
///
/// A module registers it as a ``Presenter``. Its functions are called when a screen is routed to,
/// and again when one of the selected slices has changed and the screen is on top of a window.
package struct Connection {
  /// A function that returns a map for a screen; null stands for an empty one.
  ///
  /// `selected` has the selected values by name, without those that don't exist.
  package typealias Body = (
    _ selected: Value, _ screen: Screen, _ context: SessionContext
  ) throws -> Value

  /// What the functions get.
  package let selection: StateSelection
  /// The screens.
  package let screens: ScreenPattern
  /// The kind, name and place of the registration.
  package let registration: Registration
  let props: Body?
  let actions: Body?

  /// Makes a connection.
  ///
  /// The fields that `props` returns replace those of the screen's props. `actions` returns actions
  /// by name, each a type, or a map with `type` and `payload`; they become the prop `actions`. A
  /// type without a slash is the screen's module's own.
  package init(
    of screens: ScreenPattern, from selection: StateSelection, place: SourcePlace? = nil,
    props: Body? = nil, actions: Body? = nil
  ) {
    self.selection = selection
    self.screens = screens
    registration = Registration(
      .connection, "of \(screens) with \(selection)", place: place)
    self.props = props
    self.actions = actions
  }

  /// Puts the props and actions into a screen.
  func connect(_ screen: inout Screen, _ context: SessionContext) throws {
    let selected = context.value(of: selection) ?? .map(Map())
    guard case .map(var all) = screen.props else { throw ConnectionError.noFields(screen.props) }
    if let props { all.merge(try Self.fields(of: try props(selected, screen, context), "props")) }
    if let actions {
      var made = Map()
      for (name, action) in try Self.fields(of: try actions(selected, screen, context), "actions") {
        made[name] = try Self.action(action, name)
      }
      all["actions"] = .map(made)
    }
    screen.props = .map(all)
  }

  private static func fields(of value: Value, _ key: String) throws(ConnectionError) -> Map {
    switch value {
    case .null: return Map()
    case .map(let map): return map
    default: throw .wrongAnswer(key, found: value.kind)
    }
  }

  /// Returns an action as a map with its type and payload.
  private static func action(_ value: Value, _ name: Key) throws(ConnectionError) -> Value {
    if case .string = value { return ["type": value] }
    guard case .map(let map) = value, case .string? = map["type"],
      map.keys.allSatisfy({ $0 == "type" || $0 == "payload" })
    else { throw .noAction(name.description) }
    return value
  }
}

extension Map {
  fileprivate mutating func merge(_ other: Map) {
    for (key, value) in other { self[key] = value }
  }
}

/// The reason that a connection can't present a screen.
enum ConnectionError: Error, CustomStringConvertible {
  /// The screen's props are no map.
  case noFields(Value)
  /// A function returned something else than a map.
  case wrongAnswer(String, found: String)
  /// An entry of the actions isn't an action.
  case noAction(String)

  /// The problem, as a phrase.
  var description: String {
    switch self {
    case .noFields(let props): "the props of the screen are \(props.kind), so none can be added"
    case .wrongAnswer(let key, let found): "\(key) of connect returns a table by name, not \(found)"
    case .noAction(let name):
      "actions.\(name) of connect is no action; write \"cart/add\" or { type = \"cart/add\", "
        + "payload = {} }"
    }
  }
}
