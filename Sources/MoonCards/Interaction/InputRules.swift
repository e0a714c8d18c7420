import MoonValues

/// The rules for the values that an input takes.
enum InputRules {
  /// Returns the value as it appears in the payload.
  static func checked(
    _ value: Value, for kind: CardInput.Kind
  ) throws(Broken) -> Value {
    switch kind {
    case .text(let rules):
      guard let text = value.textValue else { throw .rule(.notAText) }
      if let max = rules.lengthMax, text.string.count > max { throw .rule(.tooLong(max: max)) }
      if let pattern = rules.pattern, !text.isEmpty { try check(text, against: pattern) }
      return value
    case .number(let min, let max):
      guard let number = value.finiteNumber else { throw .rule(.notANumber) }
      if let min, let least = min.finiteNumber, number < least { throw .rule(.tooLow(min: min)) }
      if let max, let most = max.finiteNumber, number > most { throw .rule(.tooHigh(max: max)) }
      return value
    case .toggle(_, let on, let off):
      guard let toggled = toggled(value, on: on, off: off) else { throw .rule(.notAToggle) }
      return toggled
    case .choice(let choices, let isMultiple, _):
      return try checked(value, among: choices, isMultiple: isMultiple)
    case .date(let min, let max): return try checked(value, .date, min: min, max: max)
    case .time(let min, let max): return try checked(value, .time, min: min, max: max)
    }
  }

  /// Returns the value as it appears in the payload.
  static func checked(_ value: Value, for input: CardInput) throws(Broken) -> Value {
    let value = try checked(value, for: input.kind)
    if input.isInteger, value.intValue == nil { throw .rule(.notAnInteger) }
    return value
  }

  private static func check(_ text: Text, against pattern: TextPattern) throws(Broken) {
    let max = TextPattern.textLengthMax
    guard text.string.unicodeScalars.count <= max else { throw .rule(.tooLong(max: max)) }
    guard pattern.matches(text) else { throw .rule(.noMatch(pattern)) }
  }

  /// A reason as an `Error`, which it isn't itself.
  enum Broken: Error {
    case rule(CardInputError.Reason)
  }

  /// Returns the matching one of a toggle's two values; booleans always match.
  static func toggled(_ value: Value, on: Value, off: Value) -> Value? {
    if value == on || value == off { return value }
    switch value {
    case true, "true": return on
    case false, "false": return off
    default: return Value?.none
    }
  }

  /// Returns the initial choices, and the first value that is none of the choices; the schema
  /// writes several as one text with commas.
  static func initialChoice(
    _ value: Value, of choices: [CardInput.Choice], isMultiple: Bool
  ) -> (chosen: Value?, wrong: Value?) {
    if value == "" { return (isMultiple ? [] : Value?.none, Value?.none) }
    guard isMultiple else {
      do throws(Broken) {
        return (try checked(value, among: choices, isMultiple: false), Value?.none)
      } catch {
        return (Value?.none, value)
      }
    }
    let values: [Value] =
      switch value {
      case .list(let list): Array(list)
      case .map(let map) where map.isEmpty: []
      case .string(let text):
        text.string.split(separator: ",").map { .string(Text($0.trimmingSpaces)) }
      default: [value]
      }
    let known = Set(choices.map(\.value.canonicalText))
    let isKnown = { (value: Value) in value.isScalar && known.contains(value.canonicalText) }
    return (.list(List(values.filter(isKnown))), values.first { !isKnown($0) })
  }

  private static func checked(
    _ value: Value, among choices: [CardInput.Choice], isMultiple: Bool
  ) throws(Broken) -> Value {
    // Compared as texts, because values aren't hashable and a script may write many choices.
    let known = Set(choices.map(\.value.canonicalText))
    func check(_ value: Value) throws(Broken) {
      guard value.isScalar, known.contains(value.canonicalText) else {
        throw .rule(
          .notAChoice(given: Text(value.inputText), titles: choices.map(\.title)))
      }
    }
    guard isMultiple else {
      try check(value)
      return value
    }
    switch value {
    case .list(let list):
      for value in list { try check(value) }
      return value
    // Scripts write an empty list and an empty map the same way.
    case .map(let map) where map.isEmpty: return []
    default:
      try check(value)
      return [value]
    }
  }

  private static func checked(
    _ value: Value, _ unit: CalendarUnit, min: Text?, max: Text?
  ) throws(Broken) -> Value {
    guard let text = value.textValue, unit.accepts(text) else {
      throw .rule(unit == .date ? .notADate : .notATime)
    }
    if let min, text < min { throw .rule(.tooLow(min: .string(min))) }
    if let max, text > max { throw .rule(.tooHigh(max: .string(max))) }
    return value
  }
}

extension InputRules {
  /// Returns the value of a typed text; null if it is empty.
  static func value(of typed: String, for kind: CardInput.Kind) throws(Broken) -> Value {
    let trimmed = typed.trimmingSpaces
    switch kind {
    case .text: return typed.isEmpty ? .null : .string(Text(typed))
    case _ where trimmed.isEmpty: return .null
    case .number:
      guard let number = number(String(trimmed)) else { throw .rule(.notANumber) }
      return number
    case .toggle(_, let on, let off): return try toggled(String(trimmed), on: on, off: off)
    case .choice(let choices, let isMultiple, _):
      return try chosen(String(trimmed), among: choices, isMultiple: isMultiple)
    case .date, .time: return .string(Text(trimmed))
    }
  }

  /// Returns a decimal number; one with neither point nor exponent is an integer if it fits.
  private static func number(_ typed: String) -> Value? {
    guard typed.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else {
      return Value?.none
    }
    if let integer = Int64(typed) { return .int(integer) }
    guard let double = Double(typed), double.isFinite else { return Value?.none }
    return .double(double)
  }

  private static func toggled(_ typed: String, on: Value, off: Value) throws(Broken) -> Value {
    if typed == on.inputText { return on }
    if typed == off.inputText { return off }
    switch typed.lowercased() {
    case "true", "yes", "y", "on", "x", "1": return on
    case "false", "no", "n", "off", "0": return off
    default: throw .rule(.notAToggle)
    }
  }

  /// - Complexity: O(choices + length of the text).
  private static func chosen(
    _ typed: String, among choices: [CardInput.Choice], isMultiple: Bool
  ) throws(Broken) -> Value {
    let index = ChoiceIndex(choices)
    if let one = index.choice(typed) { return isMultiple ? [one] : one }
    guard isMultiple else { throw notAChoice(typed, choices) }
    var chosen: [Value] = []
    // Compared as texts, because values aren't hashable.
    var known: Set<Text> = []
    for part in typed.split(separator: ",") {
      let word = String(part.trimmingSpaces)
      guard let one = index.choice(word) else { throw notAChoice(word, choices) }
      if known.insert(Text(one.canonicalText)).inserted { chosen.append(one) }
    }
    return .list(List(chosen))
  }

  private static func notAChoice(_ typed: String, _ choices: [CardInput.Choice]) -> Broken {
    .rule(.notAChoice(given: Text(typed), titles: choices.map(\.title)))
  }
}

/// An index that finds choices by typed text.
private struct ChoiceIndex {
  private var values: [String: Value] = [:]
  private var titles: [String: Value] = [:]
  private var lowercasedTitles: [String: Value] = [:]

  /// Of choices that are typed alike, the first is found.
  init(_ choices: [CardInput.Choice]) {
    for choice in choices.reversed() {
      values[choice.value.inputText] = choice.value
      titles[choice.title.string] = choice.value
      lowercasedTitles[choice.title.string.lowercased()] = choice.value
    }
  }

  /// Finds a choice by value, then by title, then by title in any case.
  func choice(_ typed: String) -> Value? {
    values[typed] ?? titles[typed] ?? lowercasedTitles[typed.lowercased()]
  }
}

extension Value {
  /// The text that a person types for the value.
  var inputText: String { stringValue ?? canonicalText }
}

extension StringProtocol {
  /// The text without blanks at either end.
  fileprivate var trimmingSpaces: SubSequence {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }
}
