import MoonValues

extension Layout {
  /// What an empty input shows that has nothing else to say.
  private static let emptyField = "__________"
  /// Choices and more lines of an input stand a little to the right.
  private static let indent = CardLine("  ", .plain)

  func lines(_ input: CardInput, width: Int) -> [CardLine] {
    let value = input.currentValue(inputs)
    switch input.kind {
    case .text(let rules):
      let shown = value.map { value in
        rules.isSecret
          ? String(repeating: "•", count: value.inputText.count) : value.inputText
      }
      return field(input, shown: shown, hint: nil, width: width)
    case .number(let min, let max):
      return field(
        input, shown: value?.inputText, hint: Layout.hint(min?.inputText, max?.inputText),
        width: width)
    case .date(let min, let max):
      return field(
        input, shown: value?.inputText, empty: "YYYY-MM-DD",
        hint: Layout.hint(min?.string, max?.string), width: width)
    case .time(let min, let max):
      return field(
        input, shown: value?.inputText, empty: "HH:MM",
        hint: Layout.hint(min?.string, max?.string), width: width)
    case .toggle(let title, let on, let off):
      let isOn = value.flatMap { InputRules.toggled($0, on: on, off: off) } == on
      var flow = TextFlow(width: width)
      if let label = input.label { add(label, of: input, to: &flow) }
      flow.add(isOn ? "[x]" : "[ ]", .input)
      flow.add(" \(title)", .plain)
      return flow.finish()
    case .choice(let choices, let isMultiple, let isExpanded):
      let chosen = Layout.chosen(value)
      return isExpanded
        ? expanded(input, choices, chosen, isMultiple: isMultiple, width: width)
        : compact(input, choices, chosen, width: width)
    }
  }

  /// `Name* [value] hint`.
  private func field(
    _ input: CardInput, shown: String?, empty: String? = nil, hint: String?, width: Int
  ) -> [CardLine] {
    var flow = TextFlow(width: width)
    add(input.label ?? input.id, of: input, to: &flow)
    flow.add("[", .input)
    if let shown {
      flow.add(shown, .input)
    } else if let text = input.placeholder?.string ?? empty {
      flow.add(text, .placeholder)
    } else {
      flow.add(Layout.emptyField, .placeholder)
    }
    flow.add("]", .input)
    if let hint { flow.add(" \(hint)", .subtle) }
    return flow.finish()
  }

  private func add(_ label: Text, of input: CardInput, to flow: inout TextFlow) {
    flow.add(label.string, .plain)
    if input.isRequired { flow.add("*", .attention) }
    flow.add(" ", .plain)
  }

  private static func hint(_ min: String?, _ max: String?) -> String? {
    switch (min, max) {
    case (let min?, let max?): "\(min) to \(max)"
    case (let min?, nil): "from \(min)"
    case (nil, let max?): "up to \(max)"
    case (nil, nil): nil
    }
  }

  /// What is chosen, as canonical texts; a script may write many choices.
  private static func chosen(_ value: Value?) -> Set<String> {
    switch value {
    case .list(let list): Set(list.map(\.canonicalText))
    case .some(let value): [value.canonicalText]
    case .none: []
    }
  }

  /// `Name [what is chosen]`, and below it what there is to choose from.
  private func compact(
    _ input: CardInput, _ choices: [CardInput.Choice], _ chosen: Set<String>, width: Int
  ) -> [CardLine] {
    let titles = choices.filter { chosen.contains($0.value.canonicalText) }.map(\.title.string)
    let shown = titles.isEmpty ? nil : titles.joined(separator: ", ")
    let lines = field(input, shown: shown, hint: nil, width: width)
    guard !choices.isEmpty else { return lines }
    let all = choices.map(\.title.string).joined(separator: " · ")
    return lines + indented(TextFlow.lines(all, .subtle, width: width - Layout.indent.width))
  }

  /// The name, and below it each choice on a line of its own.
  private func expanded(
    _ input: CardInput, _ choices: [CardInput.Choice], _ chosen: Set<String>, isMultiple: Bool,
    width: Int
  ) -> [CardLine] {
    var flow = TextFlow(width: width)
    add(input.label ?? input.id, of: input, to: &flow)
    let (open, close, sign) = isMultiple ? ("[", "] ", "x") : ("(", ") ", "•")
    return flow.finish()
      + choices.flatMap { choice in
        let isChosen = chosen.contains(choice.value.canonicalText)
        let mark = CardLine(open + (isChosen ? sign : " ") + close, .input)
        let room = width - Layout.indent.width - mark.width
        return indented(
          Layout.marked(TextFlow.lines(choice.title.string, .plain, width: room), with: mark))
      }
  }

  private func indented(_ lines: [CardLine]) -> [CardLine] {
    lines.map { line in
      var indented = Layout.indent
      indented.append(line)
      return indented
    }
  }
}
