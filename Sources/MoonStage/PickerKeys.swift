import Moonwire

/// What follows from keys while there is a list to choose from.
enum PickerKeys {
  static func press(_ stage: inout Stage, _ key: StageKey, in opened: Picker) -> [StageEffect] {
    var picker = opened
    switch key {
    case .escape:
      stage.overlay = nil
      return []
    case .down, .control("n"): picker.move(by: 1)
    case .up, .control("p"): picker.move(by: -1)
    // As everywhere on the stage, until a choice is searched.
    case .character("j") where picker.movesByLetters: picker.move(by: 1)
    case .character("k") where picker.movesByLetters: picker.move(by: -1)
    case .pageDown,
      .control("d") where picker.query.text.isEmpty:
      picker.move(by: 10)
    case .pageUp,
      .control("u") where picker.query.text.isEmpty:
      picker.move(by: -10)
    case .home where picker.query.text.isEmpty: picker.select(0)
    case .end where picker.query.text.isEmpty: picker.select(picker.matches.count - 1)
    case .character(" ") where picker.isMultiple: picker.toggle()
    case .character("?") where picker.purpose == .keys && picker.query.text.isEmpty:
      stage.overlay = nil
      return []
    case .enter: return choose(&stage, in: picker)
    default:
      var isTaken = true
      picker.edit { isTaken = $0.take(key) }
      if !isTaken { return [.beep] }
    }
    stage.overlay = .picker(picker)
    return []
  }

  private static func choose(_ stage: inout Stage, in picker: Picker) -> [StageEffect] {
    if picker.matches.isEmpty, !picker.isMultiple { return [.beep] }
    stage.overlay = nil
    if case .input(let input, isMultiple: true) = picker.purpose {
      let chosen = picker.items.filter(\.isMarked).compactMap { item -> String? in
        if case .value(let value) = item.meaning { value.typed } else { nil }
      }
      return send(chosen.joined(separator: ","), of: input, &stage)
    }
    guard let item = picker.selectedItem else { return [.beep] }
    switch item.meaning {
    case .value(let value):
      guard case .input(let input, _) = picker.purpose else { return [] }
      return send(value.typed, of: input, &stage)
    case .control(let control, let screen):
      // Another screen may have come meanwhile; the host finds where the control is.
      guard stage.shown.screen?.id == screen else { return [.beep] }
      return AppKeys.use(&stage, control)
    case .keys(let entry): return AppKeys.carryOut(entry, &stage)
    case .stageKey(let key): return AppKeys.press(&stage, key)
    case .nothing: return []
    case .tab(let id):
      return [.select(ShownStage.Item(id: id, title: "", isSelected: false), of: stage.shown)]
    case .form(let form):
      stage.overlay = .form(form)
      return []
    case .line(let text, let isWhole):
      let effects = PromptKeys.open(&stage, with: text)
      guard isWhole, case .prompt(var box)? = stage.overlay else { return effects }
      defer { stage.overlay = .prompt(box) }
      return effects + PromptKeys.enter(&stage, &box)
    }
  }

  private static func send(
    _ text: String, of id: Text, _ stage: inout Stage
  ) -> [StageEffect] {
    // The screen may have lost the input meanwhile.
    guard let input = stage.shown.screen?.card?.inputs.first(where: { $0.id == id }) else {
      return [.beep]
    }
    return stage.send(text, of: input)
  }

  static func openPalette(_ stage: inout Stage) -> [StageEffect] {
    let effects = TypingKeys.end(&stage)
    let tabs = stage.shown.tabs.map { tab in
      Picker.Item(title: tab.title, note: "tab", meaning: .tab(tab.id))
    }
    stage.overlay = .picker(Picker(.palette, title: "Actions, routes and tabs", tabs))
    return effects + [
      .call(StageCall(.palette(.actions), "action/types")),
      .call(StageCall(.palette(.routes), "nav/routes")),
    ]
  }

  static func takePalette(
    _ stage: inout Stage, _ result: Result<Value, StageRefusal>, _ source: PaletteSource
  ) {
    guard case .picker(var picker)? = stage.overlay, picker.purpose == .palette,
      case .success(let answer) = result
    else { return }
    switch source {
    case .actions:
      // What is described is meant for people first.
      let actions = Array(answer["actions"]?.listValue ?? List())
      picker.add(
        (actions.filter { $0["description"] != nil } + actions.filter { $0["description"] == nil })
          .map { action in
            let type = action["type"]?.stringValue ?? ""
            let fields = (action["fields"]?.listValue ?? List()).filter { $0["optional"] != true }
            let names = fields.compactMap { $0["name"]?.stringValue }
            let usage = names.map { "\($0)=…" }.joined(separator: " ")
            return Picker.Item(
              title: type,
              note: [usage, action["description"]?.stringValue ?? ""].filter { !$0.isEmpty }
                .joined(separator: "  "),
              meaning: ActionForm(action).map { .form($0) } ?? .line(type, isWhole: true))
          })
    case .routes:
      picker.add(
        (answer["routes"]?.listValue ?? List()).map { route in
          let pattern = route["pattern"]?.stringValue ?? ""
          let fixed = pattern.prefix { $0 != ":" && $0 != "*" && $0 != "(" }
          return Picker.Item(
            title: pattern, note: "route of \(route["module"]?.stringValue ?? "")",
            meaning: .line(":open \(fixed)", isWhole: fixed.count == pattern.count))
        })
    }
    stage.overlay = .picker(picker)
  }
}

extension Picker {
  var isMultiple: Bool {
    if case .input(_, isMultiple: true) = purpose { true } else { false }
  }

  /// Whether `j` and `k` move in it.
  fileprivate var movesByLetters: Bool { purpose != .palette && query.text.isEmpty }
}
