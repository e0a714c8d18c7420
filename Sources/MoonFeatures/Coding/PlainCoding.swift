import FoundationEssentials
import MoonActions
import MoonValues

/// The types that values stand for in a form of their own.
enum PlainCoding {
  // Types are compared before anything is cast, which takes many times as long.

  /// Returns the value of what has a form of its own; nil for all else.
  static func value<T>(of encoded: T) -> Value? {
    let type: Any.Type = T.self
    if type == Value.self { return encoded as? Value }
    if type == Map.self { return (encoded as? Map).map { .map($0) } }
    if type == List.self { return (encoded as? List).map { .list($0) } }
    if type == Text.self { return (encoded as? Text).map { .string($0) } }
    if type == Date.self { return (encoded as? Date).map { .double($0.timeIntervalSince1970) } }
    if type == Data.self {
      return (encoded as? Data).map { .string(Text($0.base64EncodedString())) }
    }
    if type == URL.self { return (encoded as? URL).map { .string(Text($0.absoluteString)) } }
    return nil
  }

  /// Decodes a type with a form of its own; nil for all others.
  ///
  /// - Throws: ``ValueCodingError``.
  static func decode<T>(
    _: T.Type, from value: Value, at path: () -> Path
  ) throws(ValueCodingError) -> T? {
    let type: Any.Type = T.self
    let made: Any?
    let expected: String
    if type == Value.self {
      (made, expected) = (value, "anything")
    } else if type == Map.self {
      (made, expected) = (value.asMap, "a map")
    } else if type == List.self {
      (made, expected) = (value.asList, "a list")
    } else if type == Text.self {
      (made, expected) = (value.textValue, "a string")
    } else if type == Date.self {
      made = value.finiteNumber.map { Date(timeIntervalSince1970: $0) }
      expected = "a number of seconds since 1970"
    } else if type == Data.self {
      made = value.stringValue.flatMap { Data(base64Encoded: $0) }
      expected = "a string in Base64"
    } else if type == URL.self {
      (made, expected) = (value.stringValue.flatMap { URL(string: $0) }, "a URL")
    } else {
      return nil
    }
    guard let made = made as? T else {
      throw .wrongType(path(), expected: expected, found: value.kind)
    }
    return made
  }

  /// Returns the kind of field that holds what has a form of its own; nil for all else.
  static func fieldKind(of type: Any.Type) -> PayloadSchema.FieldType.Kind? {
    if type == Value.self { return .any }
    if type == Map.self { return .map }
    if type == List.self { return .list }
    if type == Text.self || type == Data.self || type == URL.self || type == UUID.self {
      return .string
    }
    return type == Date.self ? .number : nil
  }

  /// Returns a type in the words of messages: `a list`.
  static func phrase(of type: Any.Type) -> String {
    if let optional = type as? any OptionalCoding.Type { return phrase(of: optional.wrappedType) }
    if type is any ElementsCoding.Type { return "a list" }
    if type is any DictionaryCoding.Type { return "a map" }
    return switch fieldKind(of: type) {
    case .string?: "a string"
    case .number?: "a number"
    case .list?: "a list"
    case .map?: "a map"
    default: type == Int.self ? "an integer" : "\(type)"
    }
  }

  /// Returns any value of a type with a form of its own; nil for all others.
  static func example<T>(of type: T.Type) -> T? {
    let examples: [Any?] = [
      Value.null, Map(), List(), Text(""), Date(timeIntervalSince1970: 0), Data(),
      URL(string: "about:blank"), UUID(),
    ]
    return examples.lazy.compactMap { $0 as? T }.first
  }

  /// Returns the name of the type of a dictionary's keys, if they aren't texts.
  static func foreignKeys(of type: Any.Type) -> String? {
    (type as? any DictionaryCoding.Type)?.foreignKeys
  }
}

/// A dictionary, of any types.
protocol DictionaryCoding {
  /// The name of the type of the keys, if they aren't texts.
  static var foreignKeys: String? { get }
  /// The type of the values.
  static var elementType: Any.Type { get }
}

extension Dictionary: DictionaryCoding {
  static var foreignKeys: String? {
    if Key.self == String.self { return nil }
    return Key.self is any CodingKeyRepresentable.Type && Key.self != Int.self ? nil : "\(Key.self)"
  }

  static var elementType: Any.Type { Self.Value.self }
}

/// A collection whose elements are encoded as a list.
protocol ElementsCoding {
  static var elementType: Any.Type { get }
}

extension Array: ElementsCoding {
  static var elementType: Any.Type { Self.Element.self }
}

extension Set: ElementsCoding {
  static var elementType: Any.Type { Self.Element.self }
}

/// An optional of any type.
protocol OptionalCoding {
  static var wrappedType: Any.Type { get }
  /// Nil.
  static var nothing: Self { get }
}

extension Optional: OptionalCoding {
  static var wrappedType: Any.Type { Wrapped.self }
  static var nothing: Self { nil }
}

extension Value {
  /// The map; an empty list is one, too, since an empty table of Lua is both.
  var asMap: Map? { mapValue ?? (listValue?.isEmpty == true ? Map() : nil) }
  /// The list; an empty map is one, too.
  var asList: List? { listValue ?? (mapValue?.isEmpty == true ? List() : nil) }
}
