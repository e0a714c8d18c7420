import MoonValues

extension CardReader {
  mutating func actions(_ items: [(value: Value, path: Path)]) throws(CardError) -> [Action] {
    var actions: [Action] = []
    for (value, path) in try Fields.flattened(items) {
      if let action = try action(value, at: path) { actions.append(action) }
    }
    return actions
  }

  /// Returns the action of a selectable element; nil if it is invalid.
  mutating func selectAction(_ fields: inout Fields) throws(CardError) -> Action? {
    guard let value = fields.optional("selectAction") else { return nil }
    let action = try action(value, at: fields.path("selectAction"), needsTitle: false)
    return action?.isControl == true ? action : nil
  }

  /// Returns nil if the action is to be dropped.
  mutating func action(
    _ value: Value, at path: Path, needsTitle: Bool = true
  ) throws(CardError) -> Action? {
    try count(path)
    guard case .map(let map) = value else { throw .wrongKind(path, expected: .action) }
    var fields = Fields(map, at: path)
    let type = try fields.name("type")
    let isMet = try meetsRequirements(&fields)
    guard isMet, let kind = try kind(type, &fields) else {
      if isMet { warnings.append(.unknownAction(type, path)) }
      if let value = fields.optional("fallback") {
        return value == "drop"
          ? nil : try action(value, at: fields.path("fallback"), needsTitle: needsTitle)
      }
      return Action(
        id: try id(&fields), title: try fields.optionalText("title") ?? "", isEnabled: false,
        kind: .unavailable(type: type))
    }
    let action = Action(
      id: try id(&fields), title: try title(&fields, isNeeded: needsTitle),
      isEnabled: try fields.boolean("isEnabled", otherwise: true), kind: kind)
    let _: ActionStyle = try fields.word("style", otherwise: .standard)
    fields.ignore("iconUrl", "mode", "role")
    finish(fields)
    return action
  }

  private enum ActionStyle: String, CaseIterable {
    case standard = "default"
    case positive, destructive
  }

  private func title(_ fields: inout Fields, isNeeded: Bool) throws(CardError) -> Text {
    let tooltip = try fields.optionalText("tooltip")
    if let title = try fields.optionalText("title"), !title.isEmpty { return title }
    if let tooltip, !tooltip.isEmpty { return tooltip }
    guard isNeeded else { return "" }
    throw fields.optional("title") == nil
      ? .missing(fields.path("title")) : .empty(fields.path("title"))
  }

  private mutating func kind(
    _ type: Text, _ fields: inout Fields
  ) throws(CardError) -> Action.Kind? {
    switch type {
    case "Action.OpenUrl": .open(url: try fields.name("url"))
    case "Action.Execute":
      .execute(verb: try fields.name("verb"), try submission(&fields))
    case "Action.Submit":
      .submit(verb: try fields.optionalName("verb"), try submission(&fields))
    case "Action.ToggleVisibility": .toggleVisibility(try changes(&fields))
    default: nil
    }
  }

  private enum AssociatedInputs: String, CaseIterable { case auto, none }

  private func submission(_ fields: inout Fields) throws(CardError) -> Action.Submission {
    let data: Map =
      switch fields.optional("data") {
      case .map(let map): map
      case .some(let value): ["data": value]
      case .none: Map()
      }
    let inputs: AssociatedInputs = try fields.word("associatedInputs", otherwise: .auto)
    return Action.Submission(data: data, takesInputs: inputs == .auto)
  }

  private mutating func changes(
    _ fields: inout Fields
  ) throws(CardError) -> [CardVisibilityChange] {
    var changes: [CardVisibilityChange] = []
    for (value, path) in try fields.list("targetElements") {
      try count(path)
      switch value {
      case .string(let id):
        guard !id.isEmpty else { throw .empty(path) }
        changes.append(CardVisibilityChange(id: id, isVisible: nil))
        targets.append((id, path))
      case .map(let map):
        var target = Fields(map, at: path)
        target.ignore("type")
        let id = try target.name("elementId")
        let isVisible: Bool? =
          try target.optional("isVisible") == nil ? nil : target.boolean("isVisible")
        changes.append(CardVisibilityChange(id: id, isVisible: isVisible))
        targets.append((id, target.path("elementId")))
        finish(target)
      default: throw .wrongKind(path, expected: .text)
      }
    }
    return changes
  }
}
