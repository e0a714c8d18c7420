import Moonwire

/// A type in the words of LuaCATS, the annotations that lua-language-server reads.
enum LuaType {
  /// The deepest nesting that is spelled out; what is deeper is `any`.
  private static let depthMax = 5
  /// The maximum number of fields that are spelled out of a table, or of types of its entries.
  private static let fieldCountMax = 100

  private static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Whether a text can be written after a dot.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return !keywords.contains(text)
      && text.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
          || $0 == UInt8(ascii: "_")
      }
  }

  /// Returns a text in quotes; nil if it would have to be escaped.
  static func quoted(_ text: String) -> String? {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 32 && $0 != "\"" && $0 != "\\" && !$0.properties.isBidiControl
        && $0.properties.generalCategory != .control
    }
    return isPlain && text.utf8.count <= 200 ? "\"\(text)\"" : nil
  }

  /// Returns the name of a field as it stands in a table or after `---@field`; nil if none does.
  static func field(_ name: String) -> String? {
    isName(name) ? name : quoted(name).map { "[\($0)]" }
  }

  /// Returns a text as part of a comment.
  static func comment(_ text: String?) -> String {
    let words = (text ?? "").split { $0.isNewline || $0.isWhitespace || $0 == "\0" }
    return String(words.joined(separator: " ").prefix(300))
  }

  // MARK: Declared types

  /// Returns the type of a field of a payload.
  static func of(_ type: PayloadSchema.FieldType, depth: Int = 0) -> String {
    union(type.alternatives.map { of($0, depth: depth) })
  }

  private static func of(_ part: PayloadSchema.FieldType.Alternative, depth: Int) -> String {
    guard depth < depthMax else { return "any" }
    switch part {
    case .kind(.list): return "any[]"
    case .kind(.map): return "table<string, any>"
    case .kind(let kind): return kind.rawValue
    case .word(let word): return quoted(word.string) ?? "string"
    case .list(let type): return list(of: of(type, depth: depth + 1))
    case .map(let type): return "table<string, \(of(type, depth: depth + 1))>"
    case .record(let schema):
      return table(
        schema.fields.map { ($0.name, of($0.type, depth: depth + 1), $0.isOptional) })
    }
  }

  /// Returns the type that a value seems to have.
  static func of(_ value: Value, depth: Int = 0) -> String {
    switch value {
    case .null: return "any"
    case .bool: return "boolean"
    case .int: return "integer"
    case .double: return "number"
    case .string: return "string"
    case .list(let list):
      guard depth < depthMax, !list.isEmpty else { return "any[]" }
      return Self.list(of: union(list.prefix(fieldCountMax).map { of($0, depth: depth + 1) }))
    case .map(let map):
      // An empty table may become a list as well.
      guard !map.isEmpty else { return "table" }
      guard depth < depthMax else { return "table<string, any>" }
      return table(
        map.map { (name(of: $0.key), of($0.value, depth: depth + 1), false) })
    }
  }

  static func name(of key: Key) -> String {
    if case .string(let text) = key { text.string } else { "" }
  }

  private static func table(_ fields: [(name: String, type: String, isOptional: Bool)]) -> String {
    let parts = fields.prefix(fieldCountMax).compactMap { part in
      field(part.name).map { "\($0)\(part.isOptional ? "?" : ""): \(part.type)" }
    }
    return parts.isEmpty || fields.count > fieldCountMax
      ? "table" : "{ \(parts.joined(separator: ", ")) }"
  }

  private static func list(of type: String) -> String {
    type.contains("|") ? "(\(type))[]" : "\(type)[]"
  }

  private static func union(_ types: [String]) -> String {
    var seen: Set<String> = []
    let distinct = types.filter { seen.insert($0).inserted }
    return seen.contains("any") || seen.isEmpty ? "any" : distinct.joined(separator: "|")
  }

  // MARK: Types of words and services

  /// Returns the type of a word of scripts: `string | table`, `task`.
  static func ofWord(_ text: String) -> String {
    let types = text.split(separator: "|").map { part in
      let isOptional = part.hasSuffix("?")
      let name = part.filter { $0 != " " && $0 != "?" }
      let type = ["task": "moon.Task", "timer": "moon.Timer"][name] ?? name
      return type + (isOptional ? "|nil" : "")
    }
    return types.joined(separator: "|")
  }

  /// Returns the type of a parameter or a result of a service: `string[]`, `map`, `{path, kind}`.
  ///
  /// `handles` are the names of what the service opens.
  static func ofService(_ text: String, _ service: String, handles: Set<String>) -> String {
    if let element = text.dropPrefix("stream of ") {
      return "moon.\(service).stream<\(ofService(element, service, handles: handles))>"
    }
    if text.hasPrefix("{"), let close = text.lastIndex(of: "}") {
      let names = text[..<close].dropFirst().split(separator: ",").map { $0.filter { $0 != " " } }
      return table(names.map { ($0, "any", false) }) + text[text.index(after: close)...]
    }
    let types = text.split(separator: "|").flatMap { $0.split(separator: " or ") }.map { part in
      let name = part.trimming { $0 == " " }
      if handles.contains(name) { return "moon.\(service).\(name)" }
      return ["map": "table<string, any>", "list": "any[]"][name] ?? name
    }
    return types.joined(separator: "|")
  }
}

extension String {
  /// Returns the rest of a text that begins with another; nil if it doesn't.
  fileprivate func dropPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

extension StringProtocol {
  /// The text without the characters at both ends that satisfy a condition.
  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
    String(drop(while: isLeftOut).reversed().drop(while: isLeftOut).reversed())
  }
}
