import Moonwire

/// What follows from keys while nothing lies over the app.
enum AppKeys {
  static func press(_ stage: inout Stage, _ key: StageKey) -> [StageEffect] {
    if key != .character("q"), key != .control("c") { stage.bar.hasWarned = false }
    switch key {
    case .control("z"): return [.stopForAWhile]
    case .control("l"): return [.repaint]
    case .control("c"): return interrupt(&stage)
    case .control("q"): return [.leave]
    case .function(12): return PromptKeys.open(&stage)
    case .control("p") where !isAtPrompt(stage): return PickerKeys.openPalette(&stage)
    case .function(1):
      stage.overlay = .picker(.keys(of: stage.keys))
      return []
    default: break
    }
    if stage.overlay != nil { return OverlayKeys.press(&stage, key) }
    (stage.bar.note, stage.bar.event) = ("", "")
    if stage.typing != nil { return TypingKeys.press(&stage, key) }
    if let effects = own(&stage, key) { return effects }
    return FocusKeys.press(&stage, key) ?? command(&stage, key)
  }

  private static func isAtPrompt(_ stage: Stage) -> Bool {
    if case .prompt? = stage.overlay { true } else { false }
  }

  /// Ends what the host does, or else closes what lies over the app, or else leaves.
  private static func interrupt(_ stage: inout Stage) -> [StageEffect] {
    stage.told.held.drop()
    if case .prompt(let box)? = stage.overlay, !box.isRunning, box.question == nil {
      stage.overlay = nil
      return []
    }
    if stage.bar.callCount > 0 { return [.cancelCalls] }
    if stage.overlay != nil {
      stage.overlay = nil
      return []
    }
    // There may be typed text in it.
    if stage.shown.beneath != nil { return TypingKeys.end(&stage) + goBack(stage) }
    return leave(&stage)
  }

  /// Leaves, unless that would end tasks that the person hasn't been told of.
  private static func leave(_ stage: inout Stage) -> [StageEffect] {
    guard stage.bar.taskCount > 0, !stage.bar.hasWarned else { return [.leave] }
    let tasks = stage.bar.taskCount == 1 ? "a task runs" : "\(stage.bar.taskCount) tasks run"
    stage.bar.note = "\(tasks): the same key again leaves, and ends what runs"
    stage.bar.hasWarned = true
    return [.beep]
  }

  /// Does what the app's keys do; returns nil if they do nothing.
  static func own(_ stage: inout Stage, _ key: StageKey) -> [StageEffect]? {
    let isWaiting = !stage.keys.begun.isEmpty
    guard isWaiting ? key != .escape : !key.isReserved else {
      stage.keys.forget()
      return isWaiting ? [] : nil
    }
    switch stage.keys.press(key) {
    case .acts(let entry): return carryOut(entry, &stage)
    case .begins: return []
    case .none: return isWaiting ? [.beep] : nil
    }
  }

  /// Does what keys of the app do.
  static func carryOut(_ entry: AppKeyList.Entry, _ stage: inout Stage) -> [StageEffect] {
    // What was refused would be left out, and lost.
    if entry.takesInputs, let refusal = stage.refusal {
      stage.bar.note = refusal
      return [.beep]
    }
    if let menu = menu(named: entry.tap, stage) { return use(&stage, menu) }
    return [press(entry.keys, stage)]
  }

  /// The control with a name that opens a menu.
  private static func menu(named name: String?, _ stage: Stage) -> CardControl? {
    let found = name.flatMap { stage.shown.screen?.card?.controls(named: Text($0)) } ?? []
    return found.count == 1 && found[0].opensMenu ? found[0] : nil
  }

  /// Does what keys do, on the control that has the focus.
  private static func press(_ keys: String, _ stage: Stage) -> StageEffect {
    .act("key/press", parameters(of: keys, stage))
  }

  /// The call for the control that has the focus; nil if the app does nothing with it.
  static func focusCall(_ stage: Stage) -> StageCall? {
    let parameters = parameters(of: KeyPress.focus, stage)
    guard stage.keys.followsFocus, parameters["control"] != nil else { return nil }
    return StageCall(.focus, "key/press", parameters)
  }

  private static func parameters(of keys: String, _ stage: Stage) -> Map {
    var parameters: Map = ["keys": .string(Text(keys))]
    if let screen = stage.shown.screen { parameters["screen"] = .string(screen.id) }
    // Nobody means what isn't seen.
    guard stage.isFocusInSight, case .control(let number)? = stage.focusedTarget?.part else {
      return parameters
    }
    parameters["control"] = .int(Int64(number))
    parameters["seen"] = (stage.shown.screen?.card?.control(numbered: number)?.facts).map {
      .map($0)
    }
    return parameters
  }

  // MARK: Commands

  private static func command(_ stage: inout Stage, _ key: StageKey) -> [StageEffect] {
    switch key {
    case .enter, .character(" "), .character("i"):
      guard stage.isFocusInSight else {
        // What comes before it is read first.
        if key == .character(" "), FocusKeys.readOn(&stage) { return [] }
        stage.keepFocusInSight()
        return []
      }
      // A row that isn't drawn yet can't be used.
      guard stage.focusedTarget != nil else { return [.beep] }
      return use(&stage, stage.place.target)
    case .escape, .backspace: return back(&stage)
    case .character(":"): return PromptKeys.open(&stage)
    case .character("/"):
      stage.overlay = .search(TextField())
    case .character("n"): return SearchKeys.find(&stage, from: 1)
    case .character("N"): return SearchKeys.find(&stage, from: -1)
    case .character("?"): stage.overlay = .picker(.keys(of: stage.keys))
    case .character("["): return selectTab(&stage, by: -1)
    case .character("]"): return selectTab(&stage, by: 1)
    case .character("q"):
      // What lies over the app is left first, since there may be typed text in it.
      return stage.shown.beneath == nil ? leave(&stage) : back(&stage)
    case .character("r"): return [.act("module/reload")]
    case .character("u"): return [.act("timeline/undo")]
    case .character("e"):
      if !stage.bar.lastError.isEmpty {
        stage.overlay = .pages(Pages("Error", stage.bar.lastError, isError: true))
      }
    default: return [.beep]
    }
    return []
  }

  private static func back(_ stage: inout Stage) -> [StageEffect] {
    if !stage.place.search.isEmpty {
      stage.place.search = ""
      return []
    }
    return goBack(stage)
  }

  /// Goes back, unless the screen is the first.
  static func goBack(_ stage: Stage) -> [StageEffect] {
    [stage.hasBack ? .act("nav/back") : .beep]
  }

  private static func selectTab(_ stage: inout Stage, by step: Int) -> [StageEffect] {
    let items = stage.shown.tabs.isEmpty ? stage.shown.columns : stage.shown.tabs
    guard let index = items.firstIndex(where: \.isSelected), items.count > 1 else {
      return [.beep]
    }
    return [.select(items[(index + step + items.count) % items.count], of: stage.shown)]
  }

  // MARK: Using

  /// Uses a target: taps it, switches it, or begins to type.
  static func use(_ stage: inout Stage, _ index: Int) -> [StageEffect] {
    guard stage.content.targets.indices.contains(index), let screen = stage.shown.screen,
      let card = screen.card
    else { return [.beep] }
    switch stage.content.targets[index].part {
    case .control(let number):
      return card.control(numbered: number).map { use(&stage, $0) } ?? [.beep]
    case .input(let number, let choice):
      guard let input = card.input(numbered: number) else { return [.beep] }
      let value = stage.value(of: input, on: screen, card)
      switch input.kind {
      case .text, .number, .date, .time:
        TypingKeys.begin(&stage)
        return []
      case .toggle(_, let on, let off):
        let isOn = value == on || value == true && off != true
        return stage.send((isOn ? off : on).typed, of: input)
      case .choice(let choices, let isMultiple, _):
        if let choice, choices.indices.contains(choice) {
          let text = typed(choices[choice].value, value, isMultiple: isMultiple)
          return stage.send(text, of: input)
        }
        choose(&stage, input, choices, value, isMultiple: isMultiple)
        return []
      }
    }
  }

  /// Taps a control, or shows what is in its menu.
  static func use(_ stage: inout Stage, _ control: CardControl) -> [StageEffect] {
    guard let screen = stage.shown.screen, let card = screen.card else { return [.beep] }
    if control.opensMenu {
      let items = card.controls(inMenuOf: control).map { control in
        Picker.Item(
          title: control.title.string, isDimmed: !control.isAvailable,
          meaning: .control(control, of: screen.id))
      }
      stage.overlay = .picker(Picker(.menu, title: control.title.string, items))
      return []
    }
    if control.takesInputs, let refusal = stage.refusal {
      stage.bar.note = refusal
      return [.beep]
    }
    return [
      .act(
        "screen/use",
        [
          "control": .int(Int64(control.number)), "seen": .map(control.facts),
          "screen": .string(screen.id),
        ])
    ]
  }

  /// Returns the text of an input for which one of its choices was used.
  private static func typed(_ choice: Value, _ value: Value?, isMultiple: Bool) -> String {
    guard isMultiple else { return choice.typed }
    let chosen = value?.listValue.map(Array.init) ?? []
    let others = chosen.filter { $0 != choice }
    let new = others.count < chosen.count ? others : chosen + [choice]
    return new.map(\.typed).joined(separator: ",")
  }

  private static func choose(
    _ stage: inout Stage, _ input: CardInput, _ choices: [CardInput.Choice], _ value: Value?,
    isMultiple: Bool
  ) {
    let chosen = value.map { $0.listValue.map(Array.init) ?? [$0] } ?? []
    let items = choices.map { choice in
      Picker.Item(
        title: choice.title.string, isMarked: chosen.contains(choice.value),
        meaning: .value(choice.value))
    }
    stage.overlay = .picker(
      Picker(
        .input(input.id, isMultiple: isMultiple), title: input.name.string, items,
        selecting: items.firstIndex(where: \.isMarked) ?? 0))
  }
}

extension Value {
  /// The text that a person types for the value.
  var typed: String { stringValue ?? canonicalText }
}
