import MoonFiles
public import Moonwire

extension Service {
  /// JSON texts, as `moon.json`.
  public static let json = Service(
    "json", "Reads and writes JSON (RFC 8259).",
    functions: [
      .pure(
        "encode", "Returns the JSON text of a value, on one line.", .any("value"),
        returns: "string"
      ) { _, value in
        .string(try JSONText.text(of: value))
      },
      .pure(
        "decode", "Returns the value of a JSON text; null becomes moon.null.",
        .bytes("text"), JSONText.null, returns: "any"
      ) { _, bytes, null in
        let value = try JSONText.value(of: bytes)
        guard null != nil else { return .value(value) }
        return value == .null ? .nothing : .value(JSONText.withoutNulls(value))
      },
    ])
}

/// JSON for other programs, whose keys are texts.
///
/// ``Value/canonicalText`` is JSON, too, but writes an integer key in brackets.
enum JSONText {
  /// The option that leaves out nulls.
  static let null = ServiceParameter<String?>.option(
    .choice("null", ["nil"], "nil: leaves out nulls, also those in lists"))

  /// Returns a value without the nulls in it.
  static func withoutNulls(_ value: Value) -> Value {
    switch value {
    case .list(let list): .list(List(list.filter { $0 != .null }.map(withoutNulls)))
    case .map(let map):
      .map(Map(map.filter { $0.1 != .null }.map { ($0.0, withoutNulls($0.1)) }))
    default: value
    }
  }

  /// Returns the text of a value.
  ///
  /// - Throws: ``JSONFailure/infinite``.
  static func text(of value: Value) throws(JSONFailure) -> String {
    try withTextKeys(value).canonicalText
  }

  /// Returns the value of a text.
  ///
  /// - Throws: ``JSONFailure/malformed(_:)``.
  static func value(of bytes: [UInt8]) throws(JSONFailure) -> Value {
    do throws(ParseError) {
      // RFC 8259 §8.1 lets readers ignore a byte order mark.
      return withBracketKeys(try Value(parsing: bytes.withoutByteOrderMark))
    } catch {
      throw .malformed(error)
    }
  }

  /// Returns a value whose integer keys are texts, `10` for 10.
  private static func withTextKeys(_ value: Value) throws(JSONFailure) -> Value {
    switch value {
    case .double(let number) where number.isInfinite: throw .infinite
    case .list(let list):
      var elements: [Value] = []
      for element in list { elements.append(try withTextKeys(element)) }
      return .list(List(elements))
    case .map(let map):
      var entries: [(Key, Value)] = []
      for (key, element) in map {
        entries.append((.string(Text("\(key)")), try withTextKeys(element)))
      }
      return .map(Map(entries))
    default: return value
    }
  }

  /// Returns a value in which keys that the parser takes for integers are texts, `[10]`.
  private static func withBracketKeys(_ value: Value) -> Value {
    switch value {
    case .list(let list): .list(List(list.map(withBracketKeys)))
    case .map(let map):
      .map(
        Map(
          map.map { key, element in
            let text =
              if case .int(let number) = key { Text("[\(number)]") } else { Text("\(key)") }
            return (Key.string(text), withBracketKeys(element))
          }))
    default: value
    }
  }
}

/// The reason that a value can't be written as JSON, or a text can't be read.
enum JSONFailure: ServiceFailure, Equatable {
  /// JSON has no infinite numbers.
  case infinite
  /// The text isn't JSON, or too deep or long.
  case malformed(ParseError)

  var code: String {
    switch self {
    case .infinite: "infinite"
    case .malformed: "malformed"
    }
  }

  var description: String {
    switch self {
    case .infinite: "JSON has no infinite numbers"
    case .malformed: "it isn't JSON: \(reason)"
    }
  }

  /// The reason, for a sentence that says already what isn't JSON.
  var reason: String {
    switch self {
    case .infinite: description
    case .malformed(let error): "\(error)"
    }
  }
}
