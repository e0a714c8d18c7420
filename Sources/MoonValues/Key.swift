/// The key of a map's entry: an integer or a text, as in Lua.
public enum Key: Hashable, Comparable, Sendable {
  /// An integer key; `1` and `"1"` are different keys.
  case int(Int64)
  /// A text key.
  case string(Text)

  /// Orders integers ascending before texts by bytes.
  public static func < (left: Key, right: Key) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): a < b
    case (.int, .string): true
    case (.string, .int): false
    case (.string(let a), .string(let b)): a < b
    }
  }
}

extension Key: ExpressibleByStringLiteral {
  /// Makes a text key from a literal.
  @inlinable @inline(__always)
  public init(stringLiteral value: StaticString) {
    self = .string(Text(stringLiteral: value))
  }
}

extension Key: ExpressibleByIntegerLiteral {
  /// Makes an integer key from a literal.
  public init(integerLiteral value: Int64) {
    self = .int(value)
  }
}

extension Key: CustomStringConvertible {
  /// The text itself, or the integer in decimal; for logs, since `1` and `"1"` look the same.
  public var description: String {
    switch self {
    case .int(let integer): String(integer)
    case .string(let text): text.string
    }
  }
}
