import Moonwire

/// Lua code that gives the same values again, for people to read and edit.
struct LuaLiteral {
  /// The width above which a table gets a line for each entry.
  private static let widthMax = 80
  /// The keys that come first in a table.
  private static let leading: [Key] = ["description", "type", "payload"]
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Returns the text of a value that begins at an indentation.
  static func text(_ value: Value, indent: Int = 0) -> String {
    switch value {
    case .null: return "moon.null"
    case .bool(let flag): return flag ? "true" : "false"
    case .int(let number): return number == .min ? "math.mininteger" : "\(number)"
    case .double(let number): return text(number)
    case .string(let text): return quoted(text.string)
    case .list(let list) where list.isEmpty: return "moon.list {}"
    case .list(let list):
      return table(list.map { (nil, $0) }, indent)
    case .map(let map):
      let first = leading.compactMap { name in map[name].map { (name, $0) } }
      let rest = map.filter { !leading.contains($0.0) }
      return table((first + rest).map { (key($0), $1) }, indent)
    }
  }

  /// Returns the text of a table: on one line, or with a line for each entry.
  private static func table(_ entries: [(key: String?, value: Value)], _ indent: Int) -> String {
    guard !entries.isEmpty else { return "{}" }
    let parts = entries.map { entry in
      (entry.key.map { "\($0) = " } ?? "") + text(entry.value, indent: indent + 2)
    }
    let line = "{ \(parts.joined(separator: ", ")) }"
    if indent + line.utf8.count <= widthMax, !line.contains("\n") { return line }
    let margin = String(repeating: " ", count: indent + 2)
    return "{\n" + parts.map { "\(margin)\($0),\n" }.joined()
      + String(repeating: " ", count: indent) + "}"
  }

  private static func key(_ key: Key) -> String {
    switch key {
    case .int(let number): return "[\(text(.int(number)))]"
    case .string(let text):
      let name = text.string
      let isWord = name.wholeMatch(of: /[A-Za-z_][A-Za-z_0-9]*/) != nil
      return isWord && !keywords.contains(name) ? name : "[\(quoted(name))]"
    }
  }

  private static func text(_ number: Double) -> String {
    if number.isNaN { return "(0/0)" }
    if number.isInfinite { return number > 0 ? "math.huge" : "-math.huge" }
    // Swift's text is the shortest that reads back as the same number, in a form that Lua has too.
    return "\(number)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value)
        quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      case _
      where (0x80..<0xA0).contains(scalar.value)
        || (0x200E...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
        // Characters that could hide text from a reader.
        quoted += "\\u{\(String(scalar.value, radix: 16))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
