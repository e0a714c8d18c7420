public import MoonValues

/// A parameter of a service's function, with the Swift type of its argument.
///
/// ```swift
/// .string("url")                                 // required: String
/// .optional(.string("zone"))                     // may be left out: String?
/// .option(.map("headers"))                       // by name only: Map?
/// .option(.number("timeout", in: 0...600), or: 30)  // by name only: Double
/// ```
///
/// Lua passes arguments in order, and the named ones in a table after the others:
/// `moon.http.get(url, { timeout = 5 })`. All may be in one table:
/// `moon.http.get { url = url, timeout = 5 }`. If the first parameter is a list, its elements may
/// be in the same table: `moon.processes.run { "git", "status", timeout = 5 }`.
public struct ServiceParameter<Content: Sendable>: Sendable {
  /// The name, type and summary.
  package let facts: ParameterFacts
  /// Returns the argument for a value; nil stands for an argument that was left out.
  let read: @Sendable (Value?) throws(ArgumentProblem) -> Content

  init(
    _ name: String, _ type: String, _ summary: String, takesTable: Bool = false,
    takesList: Bool = false, takesBytes: Bool = false,
    _ convert: @escaping @Sendable (Value) throws(ArgumentProblem) -> Content?
  ) {
    facts = ParameterFacts(
      name: name, type: type, summary: summary, takesTable: takesTable || takesList,
      takesList: takesList)
    read = { value throws(ArgumentProblem) in
      guard let value else { throw .missing(name, type: type) }
      if !takesBytes, ForeignBytes.isMarked(value) { throw .notUTF8(name) }
      guard let content = try convert(value) else {
        throw .wrongType(name, type: type, found: value.kind)
      }
      return content
    }
  }

  private init(
    _ facts: ParameterFacts,
    _ read: @escaping @Sendable (Value?) throws(ArgumentProblem) -> Content
  ) {
    self.facts = facts
    self.read = read
  }
}

/// The name, type and summary of a parameter.
package struct ParameterFacts: Sendable, Equatable {
  /// How an argument is passed.
  package enum Presence: Sendable {
    case required
    /// May be left out.
    case optional
    /// Passed by name, in a table after the other arguments; may be left out.
    case named
  }

  /// The name.
  package let name: String
  /// The type in the words of payload schemas: `string`, `integer`, `map`.
  package let type: String
  /// One phrase; may be empty.
  package let summary: String
  /// How an argument is passed.
  package private(set) var presence = Presence.required
  /// The text of the argument that is used if none is passed.
  package private(set) var fallback: String?
  let takesTable: Bool
  /// Whether an argument is always a list, so that a table with names is none.
  let takesList: Bool

  init(name: String, type: String, summary: String, takesTable: Bool, takesList: Bool) {
    self.name = name
    self.type = type
    self.summary = summary
    self.takesTable = takesTable
    self.takesList = takesList
  }

  func with(_ presence: Presence, fallback: String? = nil) -> ParameterFacts {
    var facts = self
    facts.presence = presence
    facts.fallback = fallback
    return facts
  }
}

extension ServiceParameter {
  /// A parameter that may be left out.
  public static func optional<Wrapped>(
    _ parameter: ServiceParameter<Wrapped>
  ) -> ServiceParameter<Content> where Content == Wrapped? {
    ServiceParameter(parameter.facts.with(.optional)) { value throws(ArgumentProblem) in
      guard let value else { return nil }
      return try parameter.read(value)
    }
  }

  /// A parameter that may be left out, with the argument used instead.
  public static func optional(
    _ parameter: ServiceParameter<Content>, or fallback: Content
  ) -> ServiceParameter<Content> {
    ServiceParameter(parameter.facts.with(.optional, fallback: "\(fallback)")) {
      value throws(ArgumentProblem) in
      guard let value else { return fallback }
      return try parameter.read(value)
    }
  }

  /// A parameter that is passed by name and may be left out.
  public static func option<Wrapped>(
    _ parameter: ServiceParameter<Wrapped>
  ) -> ServiceParameter<Content> where Content == Wrapped? {
    ServiceParameter(parameter.facts.with(.named)) { value throws(ArgumentProblem) in
      guard let value else { return nil }
      return try parameter.read(value)
    }
  }

  /// A parameter that is passed by name and may be left out, with the argument used instead.
  public static func option(
    _ parameter: ServiceParameter<Content>, or fallback: Content
  ) -> ServiceParameter<Content> {
    ServiceParameter(parameter.facts.with(.named, fallback: "\(fallback)")) {
      value throws(ArgumentProblem) in
      guard let value else { return fallback }
      return try parameter.read(value)
    }
  }
}

extension ServiceParameter where Content == String {
  /// A text, which is UTF-8.
  public static func string(_ name: String, _ summary: String = "") -> Self {
    Self(name, "string", summary) { $0.stringValue }
  }

  /// One of several texts.
  public static func choice(_ name: String, _ choices: [String], _ summary: String = "") -> Self {
    Self(name, choices.map { "\"\($0)\"" }.joined(separator: " or "), summary) {
      value throws(ArgumentProblem) in
      guard let text = value.stringValue else { return nil }
      guard choices.contains(text) else {
        throw .notAChoice(name, choices, found: text)
      }
      return text
    }
  }
}

extension ServiceParameter where Content == [UInt8] {
  /// A string of Lua with any bytes.
  public static func bytes(_ name: String, _ summary: String = "") -> Self {
    Self(name, "string", summary, takesBytes: true) { ForeignBytes.bytes(of: $0) }
  }
}

extension ServiceParameter where Content == Bool {
  /// True or false.
  public static func boolean(_ name: String, _ summary: String = "") -> Self {
    Self(name, "boolean", summary) { $0.boolValue }
  }
}

extension ServiceParameter where Content == Int {
  /// An integer, also one that Lua holds as a float such as `2.0`.
  public static func integer(
    _ name: String, in range: ClosedRange<Int> = Int.min...Int.max, _ summary: String = ""
  ) -> Self {
    Self(name, "integer", summary) { value throws(ArgumentProblem) in
      let number: Int
      switch value {
      case .int(let integer): number = Int(integer)
      case .double(let fraction):
        guard let whole = Int(exactly: fraction) else {
          throw .wrongType(name, type: "integer", found: Value.shortText(of: fraction))
        }
        number = whole
      default: return nil
      }
      guard range.contains(number) else {
        throw .outOfRange(name, from: "\(range.lowerBound)", to: "\(range.upperBound)", "\(number)")
      }
      return number
    }
  }
}

extension ServiceParameter where Content == Double {
  /// A number.
  public static func number(
    _ name: String, in range: ClosedRange<Double> = -Double.infinity...Double.infinity,
    _ summary: String = ""
  ) -> Self {
    Self(name, "number", summary) { value throws(ArgumentProblem) in
      let number: Double? =
        switch value {
        case .int(let integer): Double(integer)
        case .double(let number): number
        default: nil
        }
      guard let number else { return nil }
      guard range.contains(number) else {
        throw .outOfRange(
          name, from: Value.shortText(of: range.lowerBound),
          to: Value.shortText(of: range.upperBound), Value.shortText(of: number))
      }
      return number
    }
  }
}

extension ServiceParameter where Content == List {
  /// A list.
  public static func list(_ name: String, _ summary: String = "") -> Self {
    Self(name, "list", summary, takesList: true) { value throws(ArgumentProblem) in
      try ForeignBytes.refuse(in: value, name)
      if let map = value.mapValue, map.isEmpty { return List() }
      return value.listValue
    }
  }
}

extension ServiceParameter where Content == [String] {
  /// A list of texts.
  public static func strings(_ name: String, _ summary: String = "") -> Self {
    Self(name, "string[]", summary, takesList: true) { value throws(ArgumentProblem) in
      try ForeignBytes.refuse(in: value, name)
      if let map = value.mapValue, map.isEmpty { return [] }
      guard let list = value.listValue else { return nil }
      let texts = list.compactMap(\.stringValue)
      return texts.count == list.count ? texts : nil
    }
  }
}

extension ServiceParameter where Content == Map {
  /// A table with keys.
  public static func map(_ name: String, _ summary: String = "") -> Self {
    Self(name, "map", summary, takesTable: true) { value throws(ArgumentProblem) in
      try ForeignBytes.refuse(in: value, name)
      if let list = value.listValue, list.isEmpty { return Map() }
      return value.mapValue
    }
  }
}

extension ServiceParameter where Content == Value {
  /// Any value that a state can hold.
  public static func any(_ name: String, _ summary: String = "") -> Self {
    Self(name, "any", summary, takesTable: true) { value throws(ArgumentProblem) in
      try ForeignBytes.refuse(in: value, name)
      return value
    }
  }
}

extension Value {
  /// Returns a number as Lua writes it: `30`, `0.5`.
  fileprivate static func shortText(of number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}
