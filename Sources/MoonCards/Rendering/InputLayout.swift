import MoonValues

/// Turns inputs into lines: a label, the value or an empty field, and the choices.
struct InputLayout {
  /// The values by input id.
  let inputs: Map
  /// The width of the labels of adjacent inputs; 0 if they aren't aligned.
  let labelWidth: Int
  let medium: CardMedium

  /// The text of an empty input without a placeholder.
  private static let emptyField = "__________"
  /// The indentation of choices and further lines of an input.
  private static let indent = CardLine("  ", .plain)

  func lines(_ input: CardInput, width: Int) -> [CardLine] {
    let value = input.currentValue(inputs)
    switch input.kind {
    case .text(let rules):
      let shown = value.map { value in
        rules.isSecret
          ? String(repeating: "•", count: value.inputText.count) : value.inputText
      }
      if medium == .stage, rules.isMultiline {
        return roomyField(
          input, shown: shown, empty: "", rowCount: rules.rowCount ?? Self.rowCount(of: shown),
          hint: nil, width: width)
      }
      return field(input, shown: shown, hint: nil, width: width)
    case .number(let min, let max):
      return field(
        input, shown: value?.inputText, hint: Self.hint(min?.inputText, max?.inputText),
        width: width)
    case .date(let min, let max):
      return field(
        input, shown: value?.inputText, empty: "YYYY-MM-DD",
        hint: Self.hint(min?.string, max?.string), width: width)
    case .time(let min, let max):
      return field(
        input, shown: value?.inputText, empty: "HH:MM",
        hint: Self.hint(min?.string, max?.string), width: width)
    case .toggle(let title, let on, let off):
      let isOn = value.flatMap { InputRules.toggled($0, on: on, off: off) } == on
      var flow = TextFlow(width: width)
      if input.label != nil { add(Self.label(of: input), to: &flow) }
      flow.add(isOn ? "[x]" : "[ ]", .input(input.number))
      flow.add(" \(title)", .plain)
      return flow.finish()
    case .choice(let choices, let isMultiple, let isExpanded):
      let chosen = Self.chosen(value)
      return isExpanded
        ? expanded(input, choices, chosen, isMultiple: isMultiple, width: width)
        : compact(input, choices, chosen, width: width)
    }
  }

  /// `Name* [value] hint`.
  private func field(
    _ input: CardInput, shown: String?, empty: String? = nil, hint: String?, width: Int
  ) -> [CardLine] {
    if medium == .stage {
      return roomyField(
        input, shown: shown, empty: empty ?? "", rowCount: 1, hint: hint, width: width)
    }
    let label = Self.label(of: input)
    let isAligned = labelWidth > 0
    let role = CardRole.input(input.number)
    var flow = TextFlow(width: isAligned ? width - labelWidth - Layout.gap : width)
    if !isAligned { add(label, to: &flow) }
    flow.add("[", role)
    if let shown {
      flow.add(shown, role)
    } else {
      flow.add(input.placeholder?.string ?? empty ?? Self.emptyField, .placeholder)
    }
    flow.add("]", role)
    if let hint { flow.add(" \(hint)", .subtle) }
    guard isAligned else { return flow.finish() }
    return Layout.beside([[label], flow.finish()], widths: [labelWidth, flow.width])
  }

  /// Returns the name of an input, with a mark if it is required.
  static func label(of input: CardInput) -> CardLine {
    var label = TextFlow.lines(input.name.string, .plain, width: Layout.measuringWidth)[0]
    if input.isRequired { label.append("*", .attention, width: 1) }
    return label
  }

  private func add(_ label: CardLine, to flow: inout TextFlow) {
    for span in label.spans { flow.add(span.text, span.role) }
    flow.add(" ", .plain)
  }

  /// Returns the width of the names of the inputs at the start of `elements`; 0 if it leaves too
  /// little room.
  static func labelWidth(of elements: ArraySlice<Element>, within width: Int) -> Int {
    var widest = 0
    for element in elements {
      guard case .input(let input) = element.content else { break }
      switch input.kind {
      case .toggle, .choice(_, _, isExpanded: true): continue
      case .text, .number, .date, .time, .choice: widest = max(widest, label(of: input).width)
      }
    }
    return widest <= width / 2 ? widest : 0
  }

  private static func hint(_ min: String?, _ max: String?) -> String? {
    switch (min, max) {
    case (let min?, let max?): "\(min) to \(max)"
    case (let min?, nil): "from \(min)"
    case (nil, let max?): "up to \(max)"
    case (nil, nil): nil
    }
  }

  /// Returns the chosen values as canonical texts, since a script may write many choices.
  private static func chosen(_ value: Value?) -> Set<String> {
    switch value {
    case .list(let list): Set(list.map(\.canonicalText))
    case .some(let value): [value.canonicalText]
    case .none: []
    }
  }

  /// `Name [chosen titles]`, and the choices below it.
  private func compact(
    _ input: CardInput, _ choices: [CardInput.Choice], _ chosen: Set<String>, width: Int
  ) -> [CardLine] {
    let titles = choices.filter { chosen.contains($0.value.canonicalText) }.map(\.title.string)
    let shown = titles.isEmpty ? nil : titles.joined(separator: ", ")
    if medium == .stage {
      return roomyField(
        input, shown: shown, empty: "", rowCount: 1, hint: nil, width: width,
        room: choices.map { ColumnWidths.width(of: $0.title.string) }.max() ?? 0, mark: " ▾")
    }
    let lines = field(input, shown: shown, hint: nil, width: width)
    guard !choices.isEmpty else { return lines }
    let all = choices.map(\.title.string).joined(separator: " · ")
    var indent = Self.indent
    if labelWidth > 0 { indent.pad(to: labelWidth + Layout.gap) }
    return lines
      + Layout.marked(TextFlow.lines(all, .subtle, width: width - indent.width), with: indent)
  }

  /// The name, and each choice on a line of its own below it.
  private func expanded(
    _ input: CardInput, _ choices: [CardInput.Choice], _ chosen: Set<String>, isMultiple: Bool,
    width: Int
  ) -> [CardLine] {
    var flow = TextFlow(width: width)
    add(Self.label(of: input), to: &flow)
    let (open, close, sign) = isMultiple ? ("[", "] ", "x") : ("(", ") ", "•")
    return flow.finish()
      + choices.flatMap { choice in
        let isChosen = chosen.contains(choice.value.canonicalText)
        let mark = CardLine(open + (isChosen ? sign : " ") + close, .input(input.number))
        let room = width - Self.indent.width - mark.width
        let lines = Layout.marked(
          TextFlow.lines(choice.title.string, .plain, width: room), with: mark)
        return lines.map { line in
          var indented = Self.indent
          indented.append(line)
          return indented
        }
      }
  }
}
