/// The location of a value inside another: the steps down through maps and lists.
///
/// In text, `counter.log[3]["a b"]`: text keys that are identifiers (a letter or `_`, then letters,
/// digits and `_`, all ASCII) follow a dot; others are in brackets, quoted as in JSON; integers are
/// in brackets. The empty path, whose text is empty, is the value itself.
public struct Path: Hashable, Sendable {
  /// One step down.
  public enum Component: Hashable, Sendable {
    /// To a map's entry by its text key.
    case key(Text)
    /// To a list's value, counted from 1 as in Lua, or to a map's entry by its integer key.
    case index(Int64)
  }

  /// The maximum number of components of a path's text.
  ///
  /// No state is deeper, so a longer path can't exist in one.
  package static let componentCountMax = Value.stateDepthMax

  /// The steps, outermost first.
  public var components: [Component]

  /// Makes a path from its steps.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// Parses the form of ``description``; a leading key may also be in brackets.
  ///
  /// - Throws: ``PathError`` with the column of the mistake.
  public init(parsing text: String) throws(PathError) {
    components = try Array(text.utf8).withUnsafeBufferPointer {
      bytes throws(PathError) -> [Component] in
      var parser = PathParser(bytes: bytes)
      return try parser.parse()
    }
  }

  /// The path with one more step.
  public func appending(_ component: Component) -> Path {
    Path(components + [component])
  }
}

extension Value {
  /// The path to the first NaN in the value, which is itself at `path`; nil if there is none.
  ///
  /// - Complexity: O(size).
  package func pathToNaN(_ path: Path) -> Path? {
    switch self {
    case .double(let double): return double.isNaN ? path : nil
    case .list(let list):
      for (index, element) in list.enumerated() {
        if let found = element.pathToNaN(path.appending(.index(Int64(index) + 1))) { return found }
      }
    case .map(let map):
      for (key, element) in map {
        if let found = element.pathToNaN(path.appending(Path.Component(key))) { return found }
      }
    case .null, .bool, .int, .string: break
    }
    return nil
  }
}

/// Why a text isn't a path.
///
/// Columns are counted in bytes, from 1.
public enum PathError: Error, Hashable, Sendable {
  /// The text ends where more is needed.
  case unexpectedEnd(column: Int)
  /// A byte that isn't allowed here.
  case unexpectedByte(UInt8, column: Int)
  /// A quoted key that isn't a JSON string, with the column of the mistake.
  case invalidString(ParseError.Reason, column: Int)
  /// Brackets around a number that isn't a canonical 64-bit integer.
  case invalidIndex(column: Int)
  /// More components than allowed.
  case tooManyComponents(max: Int)
}

extension PathError: CustomStringConvertible {
  /// What is wrong with the text, in a few words.
  public var description: String {
    switch self {
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte(let byte, _): "\(Wording.character(byte)) can't stand there"
    case .invalidString: "the quoted key isn't a JSON string"
    case .invalidIndex: "there is no number between the brackets"
    case .tooManyComponents(let max): "it has more than \(max) steps"
    }
  }
}

extension Path: CustomStringConvertible {
  /// The text of the path, which parses back to it.
  public var description: String {
    var bytes = TextBytes(capacity: 64)
    for component in components {
      switch component {
      case .key(let text) where Identifier.matches(text):
        if bytes.count > 0 { bytes.append(UInt8(ascii: ".")) }
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
    return String(decoding: bytes.bytes, as: UTF8.self)
  }
}

extension Path.Component {
  /// The address of the value that the step leads to; nil if there is none.
  ///
  /// Valid as long as the tree.
  fileprivate func place(in value: UnsafePointer<Value>) -> UnsafePointer<Value>? {
    switch (value.pointee, self) {
    case (.map(let map), .key(let name)): map.place(of: name)
    case (.map(let map), .index(let index)): map.node.flatMap { UnsafePointer($0.slot(int: index)) }
    case (.list(let list), .index(let index)): list.place(of: index)
    default: nil
    }
  }

  /// The step to a map's entry.
  package init(_ key: Key) {
    switch key {
    case .int(let integer): self = .index(integer)
    case .string(let text): self = .key(text)
    }
  }

  /// The key of the map's entry that the step leads to.
  package var mapKey: Key {
    switch self {
    case .key(let text): .string(text)
    case .index(let integer): .int(integer)
    }
  }
}

extension Path {
  /// The address of the value at the end; nil if there is none.
  ///
  /// Valid as long as the tree.
  ///
  /// Works on addresses, so that no value on the way is retained.
  fileprivate func end(from start: UnsafePointer<Value>) -> UnsafePointer<Value>? {
    var place = start
    for component in components {
      guard let next = component.place(in: place) else { return nil }
      place = next
    }
    return place
  }
}

extension Value {
  /// The value at the end of a path; nil if there is none.
  ///
  /// - Complexity: O(components · log n).
  public func value(at path: Path) -> Value? {
    withUnsafePointer(to: self) { path.end(from: $0)?.pointee }
  }

}

extension Map {
  /// The change of the value at the end of a path since the map was `old`; nil if it is unchanged.
  ///
  /// The empty path is the whole map.
  ///
  /// - Complexity: O(components · log n), and O(size of the parts that aren't shared) at the end.
  package func change(at path: Path, since old: Map) -> (old: Value?, new: Value?)? {
    let (old, new) = (Value.map(old), Value.map(self))
    return withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in path.change(from: old, to: new) }
    }
  }
}

extension Path {
  fileprivate func change(
    from old: UnsafePointer<Value>, to new: UnsafePointer<Value>
  ) -> (old: Value?, new: Value?)? {
    let old = end(from: old)
    let new = end(from: new)
    // The same address is the same value, since no value is changed in place meanwhile.
    if old == new { return nil }
    if let old, let new, old.pointee == new.pointee { return nil }
    return (old?.pointee, new?.pointee)
  }
}

/// Names that don't need quotes.
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
