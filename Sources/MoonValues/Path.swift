/// Where a value is inside another: the way down through maps and lists.
///
/// In text, `counter.log[3]["a b"]`: text keys that are identifiers (a letter or `_`, then letters,
/// digits and `_`, all ASCII) follow a dot, others stand in brackets, quoted as in JSON; integers
/// stand in brackets. The empty path, whose text is empty, is the value itself.
public struct Path: Hashable, Sendable {
  /// One step down.
  public enum Component: Hashable, Sendable {
    /// To a map's entry by its text key.
    case key(Text)
    /// To a list's value, counted from 1 as in Lua, or to a map's entry by its integer key.
    case index(Int64)
  }

  /// How many components a path's text may have.
  ///
  /// No value goes deeper, so a longer path leads nowhere.
  public static let componentCountMax = Value.depthMax

  /// The steps, the outermost first.
  public var components: [Component]

  /// Makes a path of its steps.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// Parses the form that ``description`` prints; a leading key may be in brackets, too.
  ///
  /// - Throws: ``PathError`` with the column where the text goes wrong.
  public init(parsing text: String) throws(PathError) {
    components = try Array(text.utf8).withUnsafeBufferPointer {
      bytes throws(PathError) -> [Component] in
      var parser = PathParser(bytes: bytes)
      return try parser.parse()
    }
  }

  /// The path that goes one step further.
  public func appending(_ component: Component) -> Path {
    Path(components + [component])
  }
}

/// Why a text isn't a path.
///
/// Columns are counted in bytes, from 1.
public enum PathError: Error, Hashable, Sendable {
  /// The text ends where more is needed.
  case unexpectedEnd(column: Int)
  /// A byte that can't stand here.
  case unexpectedByte(UInt8, column: Int)
  /// A quoted key that isn't a JSON string; the column is where it goes wrong.
  case invalidString(ParseError.Reason, column: Int)
  /// Brackets around a number that isn't a canonical 64-bit integer.
  case invalidIndex(column: Int)
  /// More components than allowed.
  case tooManyComponents(max: Int)
}

extension Path: CustomStringConvertible {
  /// The text of the path, which parses back to it.
  public var description: String {
    var bytes: [UInt8] = []
    for component in components {
      switch component {
      case .key(let text) where Identifier.matches(text):
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ".")) }
        text.withUTF8 { bytes.append(contentsOf: $0) }
      case .key(let text):
        bytes.append(UInt8(ascii: "["))
        CanonicalText.write(text, into: &bytes)
        bytes.append(UInt8(ascii: "]"))
      case .index(let integer):
        bytes.append(UInt8(ascii: "["))
        CanonicalText.write(integer, into: &bytes)
        bytes.append(UInt8(ascii: "]"))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Path.Component {
  /// The step to a map's entry.
  public init(_ key: Key) {
    switch key {
    case .int(let integer): self = .index(integer)
    case .string(let text): self = .key(text)
    }
  }

  /// The key of the map's entry that the step leads to.
  public var mapKey: Key {
    switch self {
    case .key(let text): .string(text)
    case .index(let integer): .int(integer)
    }
  }
}

extension Value {
  /// The value at the end of a path, nil if the path leads nowhere.
  ///
  /// - Complexity: O(components · log n).
  public func value(at path: Path) -> Value? {
    path.components.withUnsafeBufferPointer { value(at: $0, from: 0) }
  }

  // Recursive, so that each level lends its value to the next without holding it for itself.
  private func value(
    at components: UnsafeBufferPointer<Path.Component>, from start: Int
  ) -> Value? {
    guard start < components.count else { return self }
    let next: Value?
    switch self {
    case .map(let map):
      switch components[start] {
      case .key(let name): next = map.value(name)
      case .index(let index): next = map.value(int: index)
      }
    case .list(let list):
      guard case .index(let index) = components[start], index >= 1, index <= list.count else {
        return nil
      }
      next = list[Int(index) - 1]
    default: return nil
    }
    return next?.value(at: components, from: start + 1)
  }
}

/// Names that need no quotes.
enum Identifier {
  /// Whether the text is a letter or `_`, then letters, digits and `_`, all ASCII.
  static func matches(_ text: Text) -> Bool {
    text.withUTF8 { bytes in
      guard let first = bytes.first, isStart(first) else { return false }
      return bytes.allSatisfy(isPart)
    }
  }

  static func isStart(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return byte == UInt8(ascii: "_") || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
  }

  static func isPart(_ byte: UInt8) -> Bool {
    isStart(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
  }
}
