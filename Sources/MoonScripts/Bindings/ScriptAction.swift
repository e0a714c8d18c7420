import MoonActions
import MoonModules
import MoonValues

extension Action {
  /// Reads an action from a script's value; nil if the value isn't an action.
  ///
  /// The form is `"type"` or `{type = …, payload = …, meta = {…}}`. A type without a slash is the
  /// owner's.
  init?(script value: Value, owner: String, like other: Action? = nil) {
    let name: String
    var payload = Value.null
    var extra = other?.meta.extra ?? Map()
    switch value {
    case .string(let text): name = text.string
    case .map(let map):
      guard let type = map["type"]?.stringValue else { return nil }
      name = type
      payload = map["payload"] ?? .null
      for (key, value) in map["meta"]?.mapValue ?? Map() where !Self.ownMeta.contains(key) {
        extra[key] = value
      }
    default: return nil
    }
    let type = name.utf8.contains(UInt8(ascii: "/")) ? name : "\(owner)/\(name)"
    guard ActionPattern.isType(type) else { return nil }
    self.init(Text(type), payload, meta: other?.meta ?? Meta())
    meta.extra = extra
  }

  /// Reads what a script returned to be dispatched: an action or a URL; nil if it is neither.
  init?(result value: Value, owner: String) {
    if let action = Action(script: value, owner: owner) {
      self = action
    } else if case .string(let url) = value, url.hasPrefix("/") || url.string.contains(":") {
      self = .route(url)
    } else {
      return nil
    }
  }

  /// The keys of `meta` that only the host writes.
  private static let ownMeta: Set<Key> = ["id", "time", "cause", "parent", "guards"]
}
