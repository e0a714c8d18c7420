import MoonValues

/// Reads the fields of a map and records which ones were read.
///
/// A field that the rest can do without counts as missing if its value is wrong, and its problem is
/// kept; a required one throws.
struct Fields {
  let map: Map
  let path: Path
  /// The names asked for, some of them twice.
  ///
  /// There are few, so searching a list is faster than filling a set.
  private var names: [Text] = []
  /// The problems of fields that were left out.
  private(set) var problems: [CardError] = []

  init(_ map: Map, at path: Path) {
    self.map = map
    self.path = path
    names.reserveCapacity(24)
  }

  /// The fields that were never read.
  var unknown: [Path] {
    map.keys.filter { !isKnown($0) }.map { path.appending(Path.Component($0)) }
  }

  /// The names of the fields that were read.
  var knownNames: [Text] { Set(names).sorted() }

  private func isKnown(_ key: Key) -> Bool {
    if case .string(let name) = key { names.contains(name) } else { false }
  }

  func path(_ name: Text) -> Path { path.appending(.key(name)) }

  /// Accepts fields that have no effect here.
  mutating func ignore(_ names: Text...) { self.names += names }

  /// Accepts a field that has no effect here, without the array that several fields take.
  mutating func ignore(_ name: Text) { names.append(name) }

  /// Returns the value of a field; nil if it is missing or null.
  mutating func optional(_ name: Text) -> Value? {
    names.append(name)
    guard let value = map[.string(name)], value != Value.null else { return Value?.none }
    return value
  }

  mutating func required(_ name: Text) throws(CardError) -> Value {
    guard let value = optional(name) else { throw .missing(path(name)) }
    return value
  }

  /// Leaves out a field, or a part of it, because of a problem.
  mutating func leaveOut(_ problem: CardError) { problems.append(problem) }

  /// Leaves out a field that holds another kind of value.
  private mutating func leaveOut(_ name: Text, expected: CardError.Kind) {
    leaveOut(.wrongKind(path(name), expected: expected))
  }

  /// The module that the host has noted as the maker of an action.
  var maker: Text? { mutating get { optionalText("maker") } }

  mutating func optionalText(_ name: Text) -> Text? {
    guard let value = optional(name) else { return nil }
    guard let text = value.textValue else {
      leaveOut(name, expected: .text)
      return nil
    }
    return text
  }

  /// Returns a text that may be empty.
  mutating func text(_ name: Text) throws(CardError) -> Text {
    guard let text = try required(name).textValue else {
      throw .wrongKind(path(name), expected: .text)
    }
    return text
  }

  /// Returns a text that ought to be there, and another one if it isn't.
  mutating func text(_ name: Text, otherwise: Text) -> Text {
    do throws(CardError) { return try text(name) } catch { leaveOut(error) }
    return otherwise
  }

  /// Returns a text that isn't empty, if the field is present.
  mutating func optionalName(_ name: Text) -> Text? {
    guard let text = optionalText(name) else { return nil }
    guard !text.isEmpty else {
      leaveOut(.empty(path(name)))
      return nil
    }
    return text
  }

  mutating func name(_ name: Text) throws(CardError) -> Text {
    let text = try text(name)
    guard !text.isEmpty else { throw .empty(path(name)) }
    return text
  }

  mutating func boolean(_ name: Text, otherwise: Bool = false) -> Bool {
    guard let value = optional(name) else { return otherwise }
    guard let boolean = value.boolValue else {
      leaveOut(name, expected: .boolean)
      return otherwise
    }
    return boolean
  }

  mutating func optionalCount(_ name: Text) -> Int? {
    guard let value = optional(name) else { return nil }
    guard let integer = value.intValue, integer > 0 else {
      leaveOut(name, expected: .positiveInteger)
      return nil
    }
    return Int(clamping: integer)
  }

  mutating func optionalNumber(_ name: Text) -> Value? {
    guard let value = optional(name) else { return Value?.none }
    guard value.finiteNumber != nil else {
      leaveOut(name, expected: .number)
      return Value?.none
    }
    return value
  }

  mutating func optionalScalar(_ name: Text) -> Value? {
    guard let value = optional(name) else { return Value?.none }
    guard value.isScalar else {
      leaveOut(name, expected: .scalar)
      return Value?.none
    }
    return value
  }

  /// Returns one of the schema's words, regardless of case.
  mutating func optionalWord<W: RawRepresentable<String> & CaseIterable>(
    _ name: Text
  ) -> W? {
    guard let text = optionalText(name) else { return nil }
    let lowercased = text.string.lowercased()
    for word in W.allCases where word.rawValue.lowercased() == lowercased { return word }
    leaveOut(.unknownWord(text, path(name), known: W.allCases.map { Text($0.rawValue) }))
    return nil
  }

  mutating func word<W: RawRepresentable<String> & CaseIterable>(
    _ name: Text, otherwise: W
  ) -> W {
    optionalWord(name) ?? otherwise
  }

  /// Returns the values of a list, each with its place, if the list is present.
  mutating func optionalList(_ name: Text) throws(CardError) -> [(value: Value, path: Path)]? {
    guard let value = optional(name) else { return nil }
    return try Fields.list(value, at: path(name))
  }

  mutating func list(_ name: Text) throws(CardError) -> [(value: Value, path: Path)] {
    try Fields.list(try required(name), at: path(name))
  }

  /// Returns the values of a list, if it is present, with an empty cell in place of nothing.
  mutating func cells(_ name: Text) throws(CardError) -> [(value: Value, path: Path)] {
    guard let list = optional(name) else { return [] }
    let values = try Fields.places(list, at: path(name))
    let count = values.last?.place ?? 0
    guard count <= Card.partCountMax else {
      throw .limitExceeded(.parts, max: Card.partCountMax, path(name))
    }
    var cells = [Value](repeating: [:], count: Int(count))
    for (value, place) in values where value != .null && value != false {
      cells[Int(place) - 1] = value
    }
    return cells.enumerated().map { ($1, path(name).appending(.index(Int64($0) + 1))) }
  }

  /// Returns the values of a list, each with its place, without those that stand for nothing.
  ///
  /// Scripts write `condition and element`, which is false or nil when the condition fails.
  static func list(_ value: Value, at path: Path) throws(CardError) -> [(value: Value, path: Path)]
  {
    try places(value, at: path).compactMap { value, place in
      value == .null || value == false ? nil : (value, path.appending(.index(place)))
    }
  }

  /// Returns the values of a list, with nested lists replaced by their values.
  ///
  /// Scripts build rows in a separate list, and return `{ rows, ui.button(…) }`.
  static func flattened(
    _ items: [(value: Value, path: Path)]
  ) -> [(value: Value, path: Path)] {
    guard items.contains(where: { $0.value.isListOfElements }) else { return items }
    return items.flatMap { item in
      // What only begins as a list is one element, a wrong one.
      guard item.value.isListOfElements, let list = try? list(item.value, at: item.path) else {
        return [item]
      }
      return flattened(list)
    }
  }

  /// Returns the values of a list with their places from 1; a list with gaps is a map in Lua.
  static func places(
    _ value: Value, at path: Path
  ) throws(CardError) -> [(value: Value, place: Int64)] {
    switch value {
    case .list(let list): return list.enumerated().map { ($0.element, Int64($0.offset) + 1) }
    // Scripts write an empty list and an empty map the same way.
    case .map(let map):
      var values: [(value: Value, place: Int64)] = []
      for (key, value) in map {
        guard case .int(let place) = key, place > 0 else {
          throw .wrongKind(path, expected: .list)
        }
        values.append((value, place))
      }
      return values
    default: throw .wrongKind(path, expected: .list)
    }
  }
}

extension Value {
  /// Whether it is a list with gaps, which Lua gives as a map with integer keys.
  var isSparseList: Bool {
    guard case .map(let map) = self, let first = map.keys.first(where: { _ in true }) else {
      return false
    }
    if case .int = first { return true }
    return false
  }

  /// Whether it is a list, which may be empty or have gaps.
  var isListOfElements: Bool {
    switch self {
    case .list: true
    case .map(let map): map.isEmpty || (map["type"] == nil && isSparseList)
    default: false
    }
  }

  /// Whether it is a text, a finite number or a boolean.
  var isScalar: Bool {
    switch self {
    case .bool, .string: true
    case .int, .double: finiteNumber != nil
    case .null, .list, .map: false
    }
  }
}
