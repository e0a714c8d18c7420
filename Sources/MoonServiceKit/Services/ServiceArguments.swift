import MoonActions
package import MoonValues

/// The arguments of a call by the names of their parameters.
package struct ServiceArguments: Sendable {
  // A list, since a call has few arguments, and a dictionary would have to hash the name of each
  // parameter, which takes 2,500 instructions with nine.
  private let values: [(name: String, value: Value)]
  /// The handle whose method is called.
  package let handle: OpenHandle?

  /// Assigns arguments to parameters; nil is nil in Lua.
  ///
  /// - Throws: ``ArgumentProblem`` for a name without a parameter, and for too many arguments.
  package init(
    _ given: [Value?], for parameters: [ParameterFacts], of handle: OpenHandle? = nil
  ) throws(ArgumentProblem) {
    self.handle = handle
    let positional = parameters.filter { $0.presence != .named }
    var given = given
    while case .some(.none) = given.last { given.removeLast() }
    var fields = Map()
    if given.count == 1, positional.first?.takesList == true, case .map(let table)?? = given.last,
      !table.isEmpty, !ForeignBytes.isMarked(.map(table))
    {
      // One table with both: { "git", "status", timeout = 10 }.
      let list = Self.listPart(of: table)
      fields = Map(table.filter { !list.keys.contains($0.key) }.map { ($0.key, $0.value) })
      given = list.keys.isEmpty ? [] : [.list(List(list.values))]
    } else if case .map(let table)?? = given.last, !ForeignBytes.isMarked(.map(table)),
      given.count == 1 || positional.count < parameters.count,
      !(given.count <= positional.count && positional[given.count - 1].takesTable)
    {
      fields = table
      given.removeLast()
    }
    guard given.count <= positional.count else { throw .tooMany(max: positional.count) }
    var values: [(name: String, value: Value)] = []
    for (parameter, value) in zip(positional, given) {
      if let value { values.append((parameter.name, value)) }
    }
    for (key, value) in fields {
      guard case .string(let text) = key, case let name = text.string,
        parameters.contains(where: { $0.name == name })
      else { throw Self.unknown(key, parameters) }
      guard !values.contains(where: { $0.name == name }) else { throw .twice(name) }
      values.append((name, value))
    }
    self.values = values
  }

  /// Returns the elements of a table from 1 on, and their keys.
  private static func listPart(of table: Map) -> (keys: Set<Key>, values: [Value]) {
    var values: [Value] = []
    while let value = table[.int(Int64(values.count) + 1)] { values.append(value) }
    return (Set((0..<values.count).map { .int(Int64($0) + 1) }), values)
  }

  private static func unknown(_ key: Key, _ parameters: [ParameterFacts]) -> ArgumentProblem {
    let name = if case .string(let text) = key { text.string } else { "[\(key)]" }
    return .unknown(name, nearest: Spelling.nearest(to: name, in: parameters.map(\.name)))
  }

  /// Returns the argument for a parameter; nil if it is left out.
  subscript(_ parameter: String, isRequired isRequired: Bool) -> Value? {
    let value = value(of: parameter)
    return value == .null && !isRequired ? nil : value
  }

  private func value(of parameter: String) -> Value? {
    for argument in values where argument.name == parameter { return argument.value }
    return nil
  }

  /// The arguments by name.
  var map: Map {
    Map(values.sorted { $0.name < $1.name }.map { (.string(Text($0.name)), $0.value) })
  }

  /// The first argument, or its first element, if it is a text, for the names of waits.
  package func firstText(of parameters: [ParameterFacts]) -> String? {
    guard let first = parameters.first, let value = value(of: first.name) else { return nil }
    return value.stringValue ?? value.listValue?.first?.stringValue
  }
}

/// The reason that the arguments of a service's function are refused.
package enum ArgumentProblem: ServiceFailure, Equatable {
  /// A required argument is missing.
  case missing(String, type: String)
  /// An argument has another type.
  case wrongType(String, type: String, found: String)
  /// A number is outside its range.
  case outOfRange(String, from: String, to: String, String)
  /// A text is none of the possible ones.
  case notAChoice(String, [String], found: String)
  /// A text isn't UTF-8.
  case notUTF8(String)
  /// No parameter has the name.
  case unknown(String, nearest: String?)
  /// An argument is passed in order and by name.
  case twice(String)
  /// There are more arguments than parameters.
  case tooMany(max: Int)
  /// The handle is closed.
  case closed

  /// The code of all these: `bad_argument`, or `closed`.
  package var code: String { self == .closed ? "closed" : "bad_argument" }

  /// A few words.
  package var description: String {
    switch self {
    case .missing(let name, let type): "'\(name)' is missing (\(type))"
    case .wrongType(let name, let type, let found): "'\(name)' must be \(type), not \(found)"
    case .outOfRange(let name, let from, let to, let found):
      "'\(name)' must be from \(from) to \(to), not \(found)"
    case .notAChoice(let name, let choices, let found):
      "'\(name)' must be \(Wording.list(choices, "or")), not '\(found)'"
        + (Spelling.nearest(to: found, in: choices).map { "; did you mean '\($0)'?" } ?? "")
    case .notUTF8(let name): "'\(name)' holds a string that isn't UTF-8"
    case .unknown(let name, let nearest):
      "there is no argument '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .twice(let name): "'\(name)' is passed twice"
    case .tooMany(0): "it takes no arguments"
    case .tooMany(let max): "it takes \(Wording.counted(max, "argument")) at most"
    case .closed: "it is closed"
    }
  }
}

/// Strings of Lua that aren't UTF-8, as C passes them to services.
///
/// Such a string is a map with one entry, whose text has a code point for each byte.
package enum ForeignBytes {
  /// The key of the entry; the same as in `encode.c`.
  private static let key: Text = "\u{0}bytes"

  static func isMarked(_ value: Value) -> Bool {
    guard case .map(let map) = value, map.count == 1 else { return false }
    return map[key.string] != nil
  }

  /// Returns the bytes of a string; nil for anything else.
  static func bytes(of value: Value) -> [UInt8]? {
    switch value {
    case .string(let text): return text.withUTF8 { Array($0) }
    case .map(let map) where map.count == 1:
      guard let text = map[key.string]?.stringValue else { return nil }
      return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    default: return nil
    }
  }

  /// Returns a value as a result, in which such strings are bytes.
  ///
  /// - Complexity: O(elements).
  static func result(of value: Value) -> ServiceResult {
    guard contains(value) else { return .value(value) }
    if isMarked(value), let bytes = bytes(of: value) { return .bytes(bytes) }
    switch value {
    case .list(let list): return .list(list.map(result))
    case .map(let map):
      return .fields(
        map.map { key, value in
          switch key {
          case .int(let number): (String(number), result(of: value))
          case .string(let name): (name.string, result(of: value))
          }
        })
    default: return .value(value)
    }
  }

  /// Throws if a value contains a string that isn't UTF-8.
  ///
  /// - Complexity: O(elements).
  static func refuse(in value: Value, _ name: String) throws(ArgumentProblem) {
    guard contains(value) else { return }
    throw .notUTF8(name)
  }

  private static func contains(_ value: Value) -> Bool {
    switch value {
    case .list(let list): list.contains(where: contains)
    case .map(let map): isMarked(value) || map.contains { contains($0.value) }
    default: false
    }
  }
}
