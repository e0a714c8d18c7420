package import MoonActions
package import MoonValues

/// What a key does.
package enum KeyTarget: Sendable {
  /// The same as a button with the action.
  case action(KeyAction)
  /// The same as the control of the screen with an id or title; `title` is what people read of it.
  case control(Text, title: String?)

  /// Reads a target; nil if it is none.
  ///
  /// It is an action's type or a URL, an action with a payload, a button, or
  /// `{ tap = "save", title = "Save" }`, whose title may be missing. A type without a slash is an
  /// action of the owner. Without an owner, types are complete.
  package init?(_ value: Value, owner: String?) {
    if let map = value.mapValue, map["type"] == nil, let control = map["tap"]?.textValue {
      let title = map["title"]?.stringValue
      guard map.count == (title == nil ? 1 : 2), control != "" else { return nil }
      self = .control(control, title: title)
    } else {
      guard let action = KeyAction(value, owner: owner) else { return nil }
      self = .action(action)
    }
  }

  /// The same with the data of the control that has the focus; nil if it can't be.
  package var takingFocus: KeyTarget? {
    guard case .action(let action) = self else { return nil }
    return .action(
      KeyAction(action.action, title: action.title, takesInputs: false, takesFocus: true))
  }

  /// The title that people read; nil if there is none.
  package var title: String? {
    switch self {
    case .action(let action): action.title
    case .control(_, let title): title
    }
  }

  /// Whether it depends on what a view shows.
  package var needsView: Bool {
    switch self {
    case .action(let action): action.takesFocus
    case .control: true
    }
  }
}

/// An action that a key dispatches.
package struct KeyAction: Sendable {
  /// The action; for a URL, the one that routes it.
  package let action: Action
  /// The title that people read; nil if there is none.
  package let title: String?
  /// Whether the inputs of the screen are sent with it.
  package let takesInputs: Bool
  /// Whether the data of the control that has the focus is sent with it.
  package let takesFocus: Bool

  /// Makes the action of a key.
  package init(
    _ action: Action, title: String? = nil, takesInputs: Bool = true, takesFocus: Bool = false
  ) {
    self.action = action
    self.title = title
    self.takesInputs = takesInputs
    self.takesFocus = takesFocus
  }

  fileprivate init?(_ value: Value, owner: String?) {
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
        let focus = map["focus"] ?? false
        guard map.keys.allSatisfy({ ["type", "payload", "title", "focus"].contains($0) }),
          let takesFocus = focus.boolValue
        else { return nil }
        self.init(
          Text(type), map["payload"] ?? .null, owner: owner, title, takesInputs: !takesFocus,
          takesFocus: takesFocus)
      }
    default: return nil
    }
  }

  private init?(
    _ text: Text, _ payload: Value, owner: String?, _ title: String? = nil,
    takesInputs: Bool = true, takesFocus: Bool = false
  ) {
    let name = text.string
    // As for a button.
    if payload == .null, name.hasPrefix("/") || name.contains("://") {
      self.init(.route(text), title: title, takesInputs: false, takesFocus: takesFocus)
      return
    }
    let type = name.utf8.contains(UInt8(ascii: "/")) ? name : "\(owner ?? "")/\(name)"
    guard ActionPattern.isType(type) else { return nil }
    self.init(
      Action(Text(type), payload), title: title, takesInputs: takesInputs, takesFocus: takesFocus)
  }

  /// The URL that is routed; nil if it is another action.
  package var url: Text? {
    action.type == NavigationActions.route ? action.payload["url"]?.textValue : nil
  }

  /// The action with data: the parameters of its URL, or what its own payload lies over.
  package func action(with data: Map) -> Action {
    if let url { return .route(url, passing: data) }
    var action = action
    let own = action.payload == .null ? Map() : action.payload.mapValue ?? ["data": action.payload]
    action.payload = .map(Map(data.map { ($0.key, $0.value) } + own.map { ($0.key, $0.value) }))
    return action
  }
}
