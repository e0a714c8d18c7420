import MoonValues

extension CardReader {
  /// Returns the elements of a set of actions: the actions, if there are any, and below them the
  /// cards that they show, of which one is seen at a time.
  ///
  /// The secondary ones are in a menu of that title.
  mutating func actionSet(
    _ items: [(value: Value, path: Path)], menu title: Text? = nil
  ) throws(CardError) -> [Element] {
    let outer = shownCards
    shownCards = []
    defer { shownCards = outer }
    var set = SetOfActions(menuTitle: title)
    for (value, path) in Fields.flattened(items) {
      guard let action = try action(value, at: path) else { continue }
      set.add(action, isSecondary: value["mode"] == "secondary", at: path)
    }
    return set.elements(showing: shownCards)
  }

  /// Returns the action of a selectable element; nil if it is invalid.
  mutating func selectAction(_ fields: inout Fields) throws(CardError) -> Action? {
    guard let value = fields.optional("selectAction") else { return nil }
    let action = try action(value, at: fields.path("selectAction"), needsTitle: false)
    return action?.isControl == true ? action : nil
  }

  /// Returns nil if the action is to be dropped; an action that is wrong can't be used.
  mutating func action(
    _ value: Value, at path: Path, needsTitle: Bool = true
  ) throws(CardError) -> Action? {
    try count(path)
    let outer = isFlawed
    isFlawed = false
    // An action without a title is a detail of its element.
    defer { isFlawed = outer || isFlawed && !needsTitle }
    var fields = Fields(value.mapValue ?? Map(), at: path)
    var read: Action?
    do throws(CardError) {
      guard value.mapValue != nil else { throw .wrongKind(path, expected: .action) }
      read = try action(&fields, needsTitle: needsTitle)
    } catch {
      try leaveOut(error)
      let type = fields.map["type"]?.textValue ?? "action"
      var title = fields.map["title"]?.textValue ?? ""
      if title.isEmpty { title = type }
      read = Action(
        id: uniqueID(&fields), title: title, isEnabled: false, kind: .unavailable(type: type))
    }
    read?.isFlawed = isFlawed
    return read
  }

  private mutating func action(
    _ fields: inout Fields, needsTitle: Bool
  ) throws(CardError) -> Action? {
    let type = try fields.name("type")
    let isMet = try meetsRequirements(&fields)
    // An element's own action can't show a card, which would have no place.
    let kind = isMet && (needsTitle || type != "Action.ShowCard") ? try kind(type, &fields) : nil
    guard let kind else {
      if isMet { warnings.append(.unknownAction(type, fields.path)) }
      if let value = fields.optional("fallback") {
        return value == "drop"
          ? nil : try action(value, at: fields.path("fallback"), needsTitle: needsTitle)
      }
      return Action(
        id: uniqueID(&fields), title: fields.optionalText("title") ?? "", isEnabled: false,
        kind: .unavailable(type: type))
    }
    var action = Action(
      id: uniqueID(&fields), title: fields.title(isNeeded: needsTitle),
      isEnabled: fields.boolean("isEnabled", otherwise: true), maker: fields.maker, kind: kind)
    action.isFocused = fields.boolean("isFocused")
    if needsTitle, action.title.isEmpty { action.title = action.ownName }
    let _: ActionStyle = fields.word("style", otherwise: .standard)
    let _: ActionMode = fields.word("mode", otherwise: .primary)
    fields.ignore("iconUrl", "role")
    finish(fields)
    return action
  }

  private mutating func kind(
    _ type: Text, _ fields: inout Fields
  ) throws(CardError) -> Action.Kind? {
    switch type {
    case "Action.OpenUrl": .open(url: try fields.name("url"))
    case "Action.Execute":
      .execute(verb: try fields.name("verb"), Action.Submission(reading: &fields))
    case "Action.Submit":
      .submit(verb: fields.optionalName("verb"), Action.Submission(reading: &fields))
    case "Action.ToggleVisibility": .toggleVisibility(try changes(&fields))
    case "Action.ShowCard": .showCard(try shownCard(&fields), among: [])
    default: nil
    }
  }

  /// Returns the id of the card of an action.
  private mutating func shownCard(_ fields: inout Fields) throws(CardError) -> Text {
    let path = fields.path("card")
    guard let value = fields.optional("card") else { throw .missing(path) }
    let id: Text = "card of \(path)"
    let elements = try body(value, at: path)
    shownCards.append(
      (id, Element(id: id, isVisible: false, content: .container(.emphasis, elements))))
    return id
  }

  private mutating func changes(
    _ fields: inout Fields
  ) throws(CardError) -> [CardVisibilityChange] {
    var changes: [CardVisibilityChange] = []
    for (value, path) in try fields.list("targetElements") {
      try count(path)
      do throws(CardError) {
        changes.append(try change(value, at: path))
      } catch {
        fields.leaveOut(error)
      }
    }
    return changes
  }

  private mutating func change(
    _ value: Value, at path: Path
  ) throws(CardError) -> CardVisibilityChange {
    switch value {
    case .string(let id):
      guard !id.isEmpty else { throw .empty(path) }
      targets.append((id, path))
      return CardVisibilityChange(id: id, isVisible: nil)
    case .map(let map):
      var target = Fields(map, at: path)
      target.ignore("type")
      let id = try target.name("elementId")
      let isVisible = target.optional("isVisible").map { _ in target.boolean("isVisible") }
      targets.append((id, target.path("elementId")))
      finish(target)
      return CardVisibilityChange(id: id, isVisible: isVisible)
    default: throw .wrongKind(path, expected: .text)
    }
  }
}

private enum ActionStyle: String, CaseIterable {
  case standard = "default"
  case positive, destructive
}

private enum ActionMode: String, CaseIterable {
  case primary
  /// In the menu of its set.
  case secondary
}

/// The actions of a set, of which the secondary ones are behind one that opens a menu.
private struct SetOfActions {
  let menuTitle: Text?
  private var primary: [Action] = []
  private var secondary: [Action] = []
  private var id: Text = ""

  init(menuTitle: Text?) { self.menuTitle = menuTitle }

  mutating func add(_ action: Action, isSecondary: Bool, at path: Path) {
    guard isSecondary else { return primary.append(action) }
    if secondary.isEmpty { id = "menu of \(path)" }
    secondary.append(action)
    secondary[secondary.count - 1].menu = .isIn(id)
  }

  /// Returns the actions that are always seen, and below them what they show, the menu as the last.
  func elements(showing cards: [(id: Text, card: Element)]) -> [Element] {
    var (actions, cards) = (primary, cards)
    if !secondary.isEmpty {
      actions.append(
        Action(
          title: menuTitle ?? "More", isEnabled: true, menu: .opens(id),
          kind: .showCard(id, among: [])))
      let menu = Element(id: id, isVisible: false, isMenu: true, content: .actions(secondary))
      cards.append((id, menu))
    }
    if actions.isEmpty { return [] }
    // One array for all, since there may be thousands.
    let ids = cards.map(\.id)
    for index in actions.indices {
      guard case .showCard(let id, among: _) = actions[index].kind else { continue }
      actions[index].kind = .showCard(id, among: ids)
    }
    return [Element(content: .actions(actions))] + cards.map(\.card)
  }
}

extension Fields {
  /// Returns the title of an action; it is empty if it is missing, as where an icon stands alone.
  fileprivate mutating func title(isNeeded: Bool) -> Text {
    let tooltip = optionalText("tooltip") ?? ""
    if map["title"] == "" {
      ignore("title")
      if isNeeded, tooltip.isEmpty { leaveOut(.empty(path("title"))) }
      return tooltip
    }
    return isNeeded && tooltip.isEmpty
      ? text("title", otherwise: "") : optionalText("title") ?? tooltip
  }
}

extension Action.Submission {
  private enum AssociatedInputs: String, CaseIterable { case auto, none }

  fileprivate init(reading fields: inout Fields) {
    data =
      switch fields.optional("data") {
      case .map(let map): map
      case .some(let value): ["data": value]
      case .none: Map()
      }
    let inputs: AssociatedInputs = fields.word("associatedInputs", otherwise: .auto)
    takesInputs = inputs == .auto
  }
}
