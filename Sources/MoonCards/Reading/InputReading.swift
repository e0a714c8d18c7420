import MoonValues

/// Reads inputs.
enum InputReading {
  /// Returns the input of a type; nil for an unknown type.
  static func input(
    _ type: Text, _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> CardInput? {
    var input =
      switch type {
      case "Input.Text": try textInput(&fields)
      case "Input.Number": try numberInput(&fields)
      case "Input.Toggle": try toggleInput(&fields)
      case "Input.ChoiceSet": try choiceInput(&fields, &reader)
      case "Input.Date": try calendarInput(&fields, .date)
      case "Input.Time": try calendarInput(&fields, .time)
      default: CardInput?.none
      }
    if input != nil {
      input?.change = try change(&fields, &reader)
      input?.maker = fields.maker
    }
    return input
  }

  /// Makes an input with the fields that all inputs have.
  private static func input(
    _ fields: inout Fields, _ kind: CardInput.Kind, _ initialValue: Value?, isInteger: Bool = false
  ) throws(CardError) -> CardInput {
    // The element registers the id.
    CardInput(
      id: try fields.name("id"), kind: kind, label: fields.optionalName("label"),
      placeholder: fields.optionalName("placeholder"), initialValue: initialValue,
      isRequired: fields.boolean("isRequired"), isKept: fields.boolean("isKept"),
      isFocused: fields.boolean("isFocused"), isInteger: isInteger,
      errorMessage: fields.optionalName("errorMessage"))
  }

  /// Returns the action of an input that is changed; nil if it has none, or an invalid one.
  private static func change(
    _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> CardControl? {
    guard let value = fields.optional("valueChangedAction") else { return nil }
    let path = fields.path("valueChangedAction")
    let action = try reader.action(value, at: path, needsTitle: false)
    switch action?.kind {
    case .execute, .submit(.some, _): return action.map(CardControl.init)
    case .open, .submit, .toggleVisibility, .showCard:
      fields.leaveOut(.wrongKind(path, expected: .execution))
      return nil
    // A warning says so already.
    case .unavailable, nil: return nil
    }
  }

  private static func textInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    fields.ignore("inlineAction")
    let style: TextInputStyle = fields.word("style", otherwise: .text)
    let rules = CardInput.TextRules(
      lengthMax: fields.optionalCount("maxLength"),
      isMultiline: fields.boolean("isMultiline"), isSecret: style == .password,
      rowCount: rowCount(&fields),
      pattern: pattern(&fields))
    let value = fields.optionalText("value")
    return try input(
      &fields, .text(rules), value.flatMap { $0.isEmpty ? Value?.none : .string($0) })
  }

  private static func rowCount(_ fields: inout Fields) -> Int? {
    let range = CardInput.TextRules.rowCounts
    return fields.optionalCount("rows").map { max(range.lowerBound, min($0, range.upperBound)) }
  }

  private static func pattern(_ fields: inout Fields) -> TextPattern? {
    guard let source = fields.optionalText("regex"), !source.isEmpty else { return nil }
    do throws(TextPattern.Problem) {
      return try TextPattern(source)
    } catch {
      fields.leaveOut(.wrongPattern(error, fields.path("regex")))
      return nil
    }
  }

  private enum TextInputStyle: String, CaseIterable { case text, tel, url, email, password }

  private static func numberInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    var min = fields.optionalNumber("min")
    let max = fields.optionalNumber("max")
    if let least = min?.finiteNumber, let most = max?.finiteNumber, least > most {
      fields.leaveOut(.invertedRange(fields.path("min")))
      min = Value?.none
    }
    return try input(
      &fields, .number(min: min, max: max), fields.optionalNumber("value"),
      isInteger: fields.boolean("isInteger"))
  }

  private static func toggleInput(_ fields: inout Fields) throws(CardError) -> CardInput {
    let on = fields.optionalScalar("valueOn") ?? true
    let off = fields.optionalScalar("valueOff") ?? false
    fields.ignore("wrap")
    let title = fields.text("title", otherwise: try fields.name("id"))
    let value = fields.optionalScalar("value") ?? off
    let kind = CardInput.Kind.toggle(title: title, on: on, off: off)
    guard let initial = InputRules.toggled(value, on: on, off: off) else {
      fields.leaveOut(.notAChoice(Text(value.inputText), fields.path("value")))
      return try input(&fields, kind, off)
    }
    return try input(&fields, kind, initial)
  }

  private static func choiceInput(
    _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> CardInput {
    let style: ChoiceStyle = fields.word("style", otherwise: .compact)
    let isMultiple = fields.boolean("isMultiSelect")
    fields.ignore("wrap")
    var choices: [CardInput.Choice] = []
    var taken: Set<String> = []
    for (value, path) in try fields.list("choices") {
      try reader.count(path)
      do throws(CardError) {
        let choice = try choice(value, at: path, &reader)
        guard taken.insert(choice.value.canonicalText).inserted else {
          throw .duplicateChoice(path)
        }
        choices.append(choice)
      } catch {
        fields.leaveOut(error)
      }
    }
    let value = initialChoice(&fields, of: choices, isMultiple: isMultiple)
    return try input(
      &fields, .choice(choices, isMultiple: isMultiple, isExpanded: style == .expanded), value)
  }

  /// Returns what is chosen at first, without values that are none of the choices.
  private static func initialChoice(
    _ fields: inout Fields, of choices: [CardInput.Choice], isMultiple: Bool
  ) -> Value? {
    guard let value = fields.optional("value") else { return Value?.none }
    let initial = InputRules.initialChoice(value, of: choices, isMultiple: isMultiple)
    if let wrong = initial.wrong {
      fields.leaveOut(.notAChoice(Text(wrong.inputText), fields.path("value")))
    }
    return initial.chosen
  }

  private enum ChoiceStyle: String, CaseIterable { case compact, expanded, filtered }

  private static func choice(
    _ value: Value, at path: Path, _ reader: inout CardReader
  ) throws(CardError) -> CardInput.Choice {
    guard case .map(let map) = value else { throw .wrongKind(path, expected: .map) }
    var fields = Fields(map, at: path)
    fields.ignore("type")
    let value = try fields.required("value")
    guard value.isScalar else { throw .wrongKind(fields.path("value"), expected: .scalar) }
    let choice = CardInput.Choice(
      title: fields.text("title", otherwise: Text(value.inputText)), value: value)
    reader.finish(fields)
    return choice
  }

  private static func calendarInput(
    _ fields: inout Fields, _ unit: CalendarUnit
  ) throws(CardError) -> CardInput {
    var min = calendarText("min", &fields, unit)
    let max = calendarText("max", &fields, unit)
    if let least = min, let max, least > max {
      fields.leaveOut(.invertedRange(fields.path("min")))
      min = nil
    }
    let value = calendarText("value", &fields, unit)
    return try input(
      &fields, unit == .date ? .date(min: min, max: max) : .time(min: min, max: max),
      value.map { Value.string($0) })
  }

  private static func calendarText(
    _ name: Text, _ fields: inout Fields, _ unit: CalendarUnit
  ) -> Text? {
    guard let text = fields.optionalText(name), !text.isEmpty else { return nil }
    guard unit.accepts(text) else {
      fields.leaveOut(.wrongKind(fields.path(name), expected: unit == .date ? .date : .time))
      return nil
    }
    return text
  }
}
