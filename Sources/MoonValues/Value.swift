/// A part of an app's state: a scalar, a list or a map.
///
/// All data that passes between Lua and Swift is a value. Values are immutable trees that share
/// structure: a copy is O(1), and the cost of a change grows with the length of its path. An
/// integer never equals a double, since their texts differ. Recursion over a value, even freeing
/// it, is as deep as the value, so code that makes values from outside input refuses nesting beyond
/// ``Value/depthMax``.
public enum Value: Sendable {
  /// JSON's `null`.
  ///
  /// An absent value in a map is an absent entry instead.
  case null
  /// True or false.
  case bool(Bool)
  /// A 64-bit integer.
  case int(Int64)
  /// A double; never NaN.
  case double(Double)
  /// A text.
  case string(Text)
  /// A list of values.
  case list(List)
  /// Values by key.
  case map(Map)

  /// The maximum nesting of lists and maps in a module's values, including the outermost: in its
  /// slice of the state, in a payload, in a result.
  public static let depthMax = 64

  /// The maximum nesting of the whole state, which is a map of slices.
  package static let stateDepthMax = depthMax + 1

  /// The maximum nesting of any value, including the levels that the host puts around modules'
  /// values.
  ///
  /// A record of an action adds a few levels around its payload. This limits every recursion over a
  /// value to well within a thread's smallest stack.
  package static let wrappedDepthMax = depthMax + 8
}

extension Value: Equatable {
  /// Compares by content: doubles by bit pattern, texts by bytes, shared parts by identity.
  ///
  /// - Complexity: O(size of the parts that aren't shared).
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    // Compares bits, so that equal values have equal canonical text: 0.0 isn't -0.0.
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    default: false
    }
  }

  /// Whether both are the same scalar or the same node, and therefore equal.
  ///
  /// May be false for equal texts, lists and maps that were made separately. O(1).
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)): a.isIdentical(to: b)
    case (.map(let a), .map(let b)): a.isIdentical(to: b)
    case (.string(let a), .string(let b)): a.isIdentical(to: b)
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    default: false
    }
  }
}

extension Value {
  /// The integer, if it is one; a double never is.
  public var intValue: Int64? {
    if case .int(let value) = self { value } else { nil }
  }

  /// The double, if it is one; an integer never is.
  public var doubleValue: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// The number, of either type; nil for anything else, and for an infinite double.
  ///
  /// A double has 53 bits for the digits of an integer; a bigger integer is rounded.
  package var finiteNumber: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value) where value.isFinite: value
    default: nil
    }
  }

  /// The boolean, if it is one.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The text, if it is one.
  public var textValue: Text? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The text as a Swift string, if it is one.
  public var stringValue: String? {
    if case .string(let value) = self { value.string } else { nil }
  }

  /// The list, if it is one.
  public var listValue: List? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The map, if it is one.
  public var mapValue: Map? {
    if case .map(let value) = self { value } else { nil }
  }

  /// The value under a text key; nil if there is none or this isn't a map.
  ///
  /// - Complexity: O(log n).
  public subscript(_ name: String) -> Value? {
    guard case .map(let map) = self else { return nil }
    return map[name]
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes null.
  ///
  /// Where an optional value is expected, `condition ? nil : value` makes ``Value/null`` and not an
  /// absent value. Use `guard` or `Value?.none` there.
  public init(nilLiteral: ()) {
    self = .null
  }

  /// Makes a boolean from a literal.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Makes an integer from a literal.
  @inlinable
  public init(integerLiteral value: Int64) {
    self = .int(value)
  }

  /// Makes a double from a literal.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }

  /// Makes a text from a literal.
  @inlinable @inline(__always)
  public init(stringLiteral value: StaticString) {
    self = .string(Text(stringLiteral: value))
  }

  /// Makes a list from a literal.
  public init(arrayLiteral elements: Value...) {
    self = .list(List(elements))
  }

  /// Makes a map from a literal; the last of equal keys wins.
  @inlinable
  public init(dictionaryLiteral elements: (Key, Value)...) {
    // Inlinable for the same reason as `Map`'s initializer.
    if elements.count == 1 {
      self = .map(Map(key: elements[0].0, value: elements[0].1))
    } else {
      self = .map(Map(elements))
    }
  }
}

extension Value: CustomStringConvertible {
  /// The canonical text.
  public var description: String { canonicalText }
}

extension Value {
  /// Its type, for messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .list: "a list"
    case .map: "a map"
    }
  }
}
