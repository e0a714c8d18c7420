import MoonValues

extension CardReader {
  /// Returns the input of a type; nil for an unknown type.
  mutating func input(_ type: Text, _ fields: inout Fields) throws(CardError) -> CardInput? {
    switch type {
    case "Input.Text": try textInput(&fields)
    case "Input.Number": try numberInput(&fields)
    case "Input.Toggle": try toggleInput(&fields)
    case "Input.ChoiceSet": try choiceInput(&fields)
    case "Input.Date": try calendarInput(&fields, .date)
    case "Input.Time": try calendarInput(&fields, .time)
    default: nil
    }
  }

  /// Makes an input with the fields that all inputs have.
  private func input(
    _ fields: inout Fields, _ kind: CardInput.Kind, _ initialValue: Value?
  ) throws(CardError) -> CardInput {
    // The element registers the id.
    CardInput(
      id: try fields.name("id"), kind: kind, label: try fields.optionalName("label"),
      placeholder: try fields.optionalName("placeholder"), initialValue: initialValue,
      isRequired: try fields.boolean("isRequired"), isKept: try fields.boolean("isKept"),
      errorMessage: try fields.optionalName("errorMessage"))
  }

  private func textInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    fields.ignore("inlineAction")
    let style: TextInputStyle = try fields.word("style", otherwise: .text)
    let rules = CardInput.TextRules(
      lengthMax: try fields.optionalCount("maxLength"),
      isMultiline: try fields.boolean("isMultiline"), isSecret: style == .password,
      pattern: try fields.optionalText("regex"))
    let value = try fields.optionalText("value")
    return try input(
      &fields, .text(rules), value.flatMap { $0.isEmpty ? Value?.none : .string($0) })
  }

  private enum TextInputStyle: String, CaseIterable { case text, tel, url, email, password }

  private func numberInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    let min = try fields.optionalNumber("min")
    let max = try fields.optionalNumber("max")
    if let min = min?.finiteNumber, let max = max?.finiteNumber, min > max {
      throw .invertedRange(fields.path("min"))
    }
    return try input(&fields, .number(min: min, max: max), try fields.optionalNumber("value"))
  }

  private func toggleInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    let on = try fields.optionalScalar("valueOn") ?? true
    let off = try fields.optionalScalar("valueOff") ?? false
    fields.ignore("wrap")
    let kind = CardInput.Kind.toggle(title: try fields.text("title"), on: on, off: off)
    let path = fields.path("value")
    let value = try fields.optionalScalar("value")
    guard let initial = InputRules.toggled(value ?? off, on: on, off: off) else {
      throw .notAChoice(path)
    }
    return try input(&fields, kind, initial)
  }

  private mutating func choiceInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    let style: ChoiceStyle = try fields.word("style", otherwise: .compact)
    let isMultiple = try fields.boolean("isMultiSelect")
    fields.ignore("wrap")
    var choices: [CardInput.Choice] = []
    var taken: Set<String> = []
    for (value, path) in try fields.list("choices") {
      try count(path)
      let choice = try choice(value, at: path)
      guard taken.insert(choice.value.canonicalText).inserted else {
        throw .duplicateChoice(path)
      }
      choices.append(choice)
    }
    let path = fields.path("value")
    let value = try fields.optional("value").map { value throws(CardError) in
      guard
        let initial = InputRules.initialChoice(value, of: choices, isMultiple: isMultiple)
      else { throw CardError.notAChoice(path) }
      return initial
    }
    return try input(
      &fields, .choice(choices, isMultiple: isMultiple, isExpanded: style == .expanded),
      value ?? Value?.none)
  }

  private enum ChoiceStyle: String, CaseIterable { case compact, expanded, filtered }

  private mutating func choice(
    _ value: Value, at path: Path
  ) throws(CardError) -> CardInput.Choice {
    guard case .map(let map) = value else { throw .wrongKind(path, expected: .map) }
    var fields = Fields(map, at: path)
    fields.ignore("type")
    guard let value = try fields.optionalScalar("value") else {
      throw .missing(fields.path("value"))
    }
    let choice = CardInput.Choice(title: try fields.text("title"), value: value)
    finish(fields)
    return choice
  }

  private func calendarInput(
    _ fields: inout Fields, _ unit: CalendarUnit
  ) throws(CardError) -> CardInput {
    let min = try calendarText("min", &fields, unit)
    let max = try calendarText("max", &fields, unit)
    if let min, let max, min > max { throw .invertedRange(fields.path("min")) }
    let value = try calendarText("value", &fields, unit)
    return try input(
      &fields, unit == .date ? .date(min: min, max: max) : .time(min: min, max: max),
      value.map { Value.string($0) })
  }

  private func calendarText(
    _ name: Text, _ fields: inout Fields, _ unit: CalendarUnit
  ) throws(CardError) -> Text? {
    guard let text = try fields.optionalText(name), !text.isEmpty else { return nil }
    guard unit.accepts(text) else {
      throw .wrongKind(fields.path(name), expected: unit == .date ? .date : .time)
    }
    return text
  }
}
