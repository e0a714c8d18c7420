public import MoonValues

/// The reason that a value of a program can't become a ``Value``, or the other way round.
///
/// Paths lead from the value that was given to the encoder or decoder.
public enum ValueCodingError: Error, Sendable, Equatable {
  /// There is nothing at a path where something is needed.
  case missing(Path, expected: String)
  /// A value is of another kind than expected.
  case wrongType(Path, expected: String, found: String)
  /// A number doesn't fit the type that it is for.
  case outOfRange(Path, expected: String, found: String)
  /// A number is not a number (0/0), which no state can hold.
  case notANumber(Path)
  /// A dictionary has keys of a type other than text.
  case keysNotText(Path, found: String)
  /// The value is nested more than `max` deep.
  case tooDeep(Path, max: Int)
  /// The value has more than `max` parts.
  case tooManyParts(max: Int)
  /// A case of an enumeration of actions isn't among its examples, so that nobody knows it.
  case noExample(of: String, type: String)
  /// The code of a type has refused the value.
  case refused(Path, reason: String)
}

extension ValueCodingError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .missing(let path, let expected):
      "\(Self.place(path)) is missing, and must be \(expected)"
    case .wrongType(let path, let expected, let found):
      "\(Self.place(path)) is \(found), and must be \(expected)"
    case .outOfRange(let path, let expected, let found):
      "\(Self.place(path)) is \(found), which doesn't fit \(expected)"
    case .notANumber(let path):
      "\(Self.place(path)) is not a number (0/0), which can't be kept"
    case .keysNotText(let path, let found):
      "\(Self.place(path)) is a dictionary with keys of type \(found): use texts as keys"
    case .tooDeep(let path, let max):
      "\(Self.place(path)) is nested more than \(max) deep: hold less within one value"
    case .tooManyParts(let max):
      "the value has more than \(max) parts: keep large collections as a List or a Map"
    case .noExample(let name, let type):
      "\(type).examples has no case '\(name)': add one, since the host learns the actions there"
    case .refused(let path, let reason): "\(Self.place(path)) can't be used: \(reason)"
    }
  }

  private static func place(_ path: Path) -> String {
    path.components.isEmpty ? "the value" : "\(path)"
  }
}

extension ValueCodingError {
  /// The error in which the standard library's protocols carry this one.
  var decodingError: DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: description, underlyingError: self))
  }

  /// Reads an error that the code of a type has thrown; `path` is where it was called.
  init(reading error: any Error, at path: Path) {
    switch error {
    case let error as ValueCodingError: self = error
    case let error as DecodingError: self.init(error, at: path)
    case EncodingError.invalidValue(_, let context):
      self =
        context.underlyingError as? ValueCodingError
        ?? .refused(Path(context.codingPath, or: path), reason: context.debugDescription)
    default: self = .refused(path, reason: "\(error)")
    }
  }

  private init(_ error: DecodingError, at path: Path) {
    switch error {
    case .dataCorrupted(let context):
      self =
        context.underlyingError as? ValueCodingError
        ?? .refused(Path(context.codingPath, or: path), reason: context.debugDescription)
    case .keyNotFound(let key, let context):
      self = .missing(Path(context.codingPath + [key], or: path), expected: "there")
    case .typeMismatch(let type, let context):
      self =
        context.underlyingError as? ValueCodingError
        ?? .refused(
          Path(context.codingPath, or: path), reason: "no \(type): \(context.debugDescription)")
    case .valueNotFound(let type, let context):
      self = .missing(Path(context.codingPath, or: path), expected: "\(type)")
    @unknown default: self = .refused(path, reason: "\(error)")
    }
  }
}

extension ValueCodingError {
  /// The same error of a value that is itself at a path.
  func below(_ path: Path) -> ValueCodingError {
    func placed(_ inner: Path) -> Path { Path(path.components + inner.components) }
    return switch self {
    case .missing(let inner, let expected): .missing(placed(inner), expected: expected)
    case .wrongType(let inner, let expected, let found):
      .wrongType(placed(inner), expected: expected, found: found)
    case .outOfRange(let inner, let expected, let found):
      .outOfRange(placed(inner), expected: expected, found: found)
    case .notANumber(let inner): .notANumber(placed(inner))
    case .keysNotText(let inner, let found): .keysNotText(placed(inner), found: found)
    case .tooDeep(let inner, let max): .tooDeep(placed(inner), max: max)
    case .tooManyParts, .noExample: self
    case .refused(let inner, let reason): .refused(placed(inner), reason: reason)
    }
  }
}

/// The key of an element of a list, whose position is counted from 0.
struct PositionKey: CodingKey {
  let position: Int
  var stringValue: String { String(position) }
  var intValue: Int? { position }

  init(_ position: Int) { self.position = position }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { position = intValue }
}

/// The key of what a class encodes for its superclass.
struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { if stringValue != "super" { return nil } }
  init?(intValue: Int) { nil }
}

extension Path {
  /// Makes the path of coding keys; `other` if there are none.
  init(_ keys: [any CodingKey], or other: Path) {
    self = keys.isEmpty ? other : Path(keys.map(Component.init))
  }
}

extension Path.Component {
  /// Makes the step to what is coded under a key.
  init(_ key: any CodingKey) {
    if let key = key as? PositionKey {
      self = .index(Int64(key.position) + 1)
    } else {
      self = .key(Text(key.stringValue))
    }
  }
}
