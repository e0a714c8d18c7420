import MoonLua
import MoonValues

/// The form of what Lua gets from the host in a journal.
///
/// Results are a list with one list for each: `[]` for nil, `["v", value]`, `["s", value, name]`
/// for a view of the state, `["b", hexadecimal digits]` for bytes, `["l", parts…]` for a list, and
/// `["f", [name, part]…]` for fields. A failed wait is `{"failure": message}`.
enum RecordedAnswer {
  /// Returns the form of results.
  static func value(of results: [Argument]) -> Value { .list(List(results.map(form))) }

  /// Reads results; unknown forms become nil.
  static func arguments(_ value: Value) -> [Argument] {
    (value.listValue ?? List()).map(argument)
  }

  /// Reads the answer to a wait.
  static func answer(_ value: Value) -> LuaCoroutine.Answer {
    if let message = value["failure"]?.stringValue { return .failure(message) }
    return .values(arguments(value))
  }

  /// Returns the form of bytes, which may be text.
  static func value(of bytes: [UInt8]) -> Value {
    if let text = bytes.withUnsafeBufferPointer({ Text(utf8: $0) }) { return ["v", .string(text)] }
    return ["b", .string(Text(bytes.map(digits).joined()))]
  }

  /// Reads bytes; nil if the value doesn't have the form of some.
  static func bytes(_ value: Value) -> [UInt8]? {
    switch data(value) {
    case .bytes(let bytes): bytes
    case .value(.string(let text)): Array(text.string.utf8)
    default: nil
    }
  }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func form(_ argument: Argument) -> Value {
    switch argument {
    // No call of the host has such results.
    case .none, .context, .function, .draft: []
    case .value(let value): ["v", value]
    case .view(let value, let name): ["s", value, .string(Text(name))]
    case .data(let data): form(data)
    }
  }

  private static func form(_ data: HostData) -> Value {
    switch data {
    case .value(let value): ["v", value]
    case .bytes(let bytes): value(of: bytes)
    case .list(let parts): .list(List(["l"] + parts.map(form)))
    case .fields(let fields):
      .list(List(["f"] + fields.map { [.string(Text($0.name)), form($0.content)] }))
    }
  }

  private static func argument(_ value: Value) -> Argument {
    guard let parts = value.listValue, let tag = parts.first?.stringValue else { return .none }
    switch (tag, parts.count) {
    case ("v", 2): return .value(parts[1])
    case ("s", 3): return .view(parts[1], name: parts[2].stringValue ?? "")
    default: return data(value).map { .data($0) } ?? .none
    }
  }

  private static func data(_ value: Value) -> HostData? {
    guard let parts = value.listValue, let tag = parts.first?.stringValue else { return nil }
    switch tag {
    case "v": return parts.count == 2 ? .value(parts[1]) : nil
    case "b": return parts.count == 2 ? parts[1].stringValue.flatMap(bytes(digits:)) : nil
    case "l": return .list(parts.dropFirst().compactMap(data))
    case "f":
      return .fields(
        parts.dropFirst().compactMap { field in
          guard let pair = field.listValue, pair.count == 2, let name = pair[0].stringValue,
            let content = data(pair[1])
          else { return nil }
          return (name, content)
        })
    default: return nil
    }
  }

  private static func bytes(digits: String) -> HostData? {
    let digits = Array(digits.utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      let pair = String(decoding: digits[index...(index + 1)], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return .bytes(bytes)
  }
}
