package import MoonActions
package import MoonValues

/// What a key does: the same as a button.
package struct KeyTarget: Sendable {
  /// The action; for a URL, the one that routes it.
  package let action: Action
  /// What people read of it; nil if nothing says.
  package let title: String?
  /// Whether the inputs of the screen are sent with it.
  package let takesInputs: Bool

  /// Makes a target.
  package init(_ action: Action, title: String? = nil, takesInputs: Bool = true) {
    self.action = action
    self.title = title
    self.takesInputs = takesInputs
  }

  /// Reads a target: an action's type or a URL, an action with a payload, or a button; nil if it is
  /// none of them.
  ///
  /// A type without a slash is an action of the owner. Without one, types are complete.
  package init?(_ value: Value, owner: String?) {
    switch value {
    case .string(let text): self.init(text, .null, owner: owner)
    case .map(let map):
      guard let type = map["type"]?.stringValue else { return nil }
      let title = map["title"]?.stringValue
      switch type {
      case "Action.Execute", "Action.Submit":
        self.init(
          map["verb"]?.textValue ?? "submit", map["data"] ?? .null, owner: owner, title,
          takesInputs: map["associatedInputs"]?.textValue != "none")
      case "Action.OpenUrl":
        guard let url = map["url"]?.textValue else { return nil }
        self.init(.route(url), title: title, takesInputs: false)
      default:
        guard map.keys.allSatisfy({ ["type", "payload", "title"].contains($0) }) else { return nil }
        self.init(Text(type), map["payload"] ?? .null, owner: owner, title)
      }
    default: return nil
    }
  }

  private init?(
    _ text: Text, _ payload: Value, owner: String?, _ title: String? = nil, takesInputs: Bool = true
  ) {
    let name = text.string
    // As for a button.
    if payload == .null, name.hasPrefix("/") || name.contains("://") {
      self.init(.route(text), title: title, takesInputs: false)
      return
    }
    let type = name.utf8.contains(UInt8(ascii: "/")) ? name : "\(owner ?? "")/\(name)"
    guard ActionPattern.isType(type) else { return nil }
    self.init(Action(Text(type), payload), title: title, takesInputs: takesInputs)
  }

  /// The URL that is routed; nil if it is another action.
  package var url: Text? {
    action.type == NavigationActions.route ? action.payload["url"]?.textValue : nil
  }
}
