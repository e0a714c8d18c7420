import Moonwire

/// What follows from keys while an input is typed into.
enum TypingKeys {
  /// Begins to type into the input that has the focus, if it is one for typing.
  static func begin(_ stage: inout Stage) {
    guard let input = stage.focusedInput, input.isTyped else { return }
    stage.keepFocusInSight()
    let isMultiline = if case .text(let rules) = input.kind { rules.isMultiline } else { false }
    stage.typing = Stage.Typing(
      input: input.id,
      field: TextField(
        stage.text(of: input), isMultiline: isMultiline, isSecret: input.isSecret,
        clip: stage.typed.clip)
    )
  }

  /// Types on in an input, unless something else has the keys meanwhile.
  static func resume(_ stage: inout Stage, in id: Text) {
    guard stage.typing == nil, stage.overlay == nil, let card = stage.shown.screen?.card else {
      return
    }
    let index = stage.content.targets.firstIndex { target in
      guard case .input(let number, _) = target.part else { return false }
      return card.input(numbered: number)?.id == id
    }
    guard let index else { return }
    stage.focus(index)
    begin(&stage)
  }

  static func press(_ stage: inout Stage, _ key: StageKey) -> [StageEffect] {
    guard var typing = stage.typing else { return [] }
    switch key {
    case .tab, .backTab, .down, .up:
      // In several lines, Tab alone leaves.
      if key == .down || key == .up, typing.field.take(key) || typing.field.isMultiline { break }
      let effects = end(&stage)
      let keys = AppKeys.press(&stage, key == .down ? .tab : key == .up ? .backTab : key)
      return effects + keys
    case .enter where !typing.field.isMultiline: return enter(&stage)
    case .escape: return end(&stage)
    default:
      guard typing.field.take(key) else {
        // Only keys that aren't for typing mean something to the app meanwhile.
        let keys = AppKeys.own(&stage, key)
        return keys.map { end(&stage, then: $0) } ?? [.beep]
      }
    }
    stage.typing = typing
    stage.typed.clip = typing.field.clip
    return follow(&stage)
  }

  /// Sends what has been typed so far to an input that does something when it changes, one text at
  /// a time.
  static func follow(_ stage: inout Stage) -> [StageEffect] {
    guard let text = stage.typing?.field.text, let input = stage.focusedInput, input.change != nil,
      stage.drafts[input.id]?.fate != .pending, text != stage.text(of: input)
    else { return [] }
    return stage.send(text, of: input)
  }

  /// Goes on to the next input; at the last one, uses the control that follows it.
  private static func enter(_ stage: inout Stage) -> [StageEffect] {
    let next = stage.place.target + 1
    guard stage.content.targets.indices.contains(next) else { return end(&stage) }
    var following: [StageEffect] = []
    if case .control(let number) = stage.content.targets[next].part,
      stage.shown.screen?.card?.control(numbered: number)?.takesInputs ?? false
    {
      following = AppKeys.use(&stage, next)
    }
    let effects = end(&stage, then: following)
    stage.focus(next)
    begin(&stage)
    return effects
  }

  /// Ends typing, has the host take the text, and then does what follows.
  static func end(
    _ stage: inout Stage, then following: [StageEffect] = []
  ) -> [StageEffect] {
    guard let typing = stage.typing else { return following }
    stage.typing = nil
    guard let input = stage.focusedInput else { return following }
    if !following.isEmpty { stage.told.sender = input.id }
    return stage.send(typing.field.text, of: input, then: following)
  }

  static func paste(_ stage: inout Stage, _ text: String) -> [StageEffect] {
    func insert(into field: inout TextField) -> [StageEffect] {
      field.insert(text) ? [] : [.beep]
    }
    switch stage.overlay {
    case .prompt(var box)?:
      let effects = insert(into: &box.field)
      stage.overlay = .prompt(box)
      return effects
    case .search(var field)?:
      let effects = insert(into: &field)
      stage.overlay = .search(field)
      return effects
    case .picker(var picker)?:
      picker.edit { $0.insert(text) }
      stage.overlay = .picker(picker)
      return []
    case .form(var form)?:
      let effects: [StageEffect] = form.paste(text) ? [] : [.beep]
      stage.overlay = .form(form)
      return effects
    case .pages?: return [.beep]
    case nil:
      if stage.typing == nil { begin(&stage) }
      guard var typing = stage.typing else { return [.beep] }
      let effects = insert(into: &typing.field)
      if !effects.isEmpty {
        stage.bar.note = "the text is longer than an input may be: its end is cut"
      }
      stage.typing = typing
      return effects + follow(&stage)
    }
  }
}
