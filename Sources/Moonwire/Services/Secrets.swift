import MoonSession
import MoonValues

/// The secret settings of a module, whose texts only services get.
///
/// In Lua, a secret is a table `{["\\0secret"] = {{name = "key"}, {text = "…"}}}`: the parts of a
/// text, the secret ones by name. Scripts make such tables by joining texts.
struct Secrets: Sendable {
  private static let key: Key = "\u{0}secret"

  private let texts: [String: String]

  init(_ texts: [String: String]) { self.texts = texts }

  /// Returns an argument with the texts of secrets.
  ///
  /// - Complexity: O(elements) if the module has secrets.
  func revealed(_ value: Value) -> Value {
    guard !texts.isEmpty else { return value }
    switch value {
    case .list(let list): return .list(List(list.map(revealed)))
    case .map(let map):
      if map.count == 1, let parts = map[Self.key]?.listValue {
        return .string(Text(parts.map(text).joined()))
      }
      return .map(Map(map.map { ($0.key, revealed($0.value)) }))
    default: return value
    }
  }

  private func text(of part: Value) -> String {
    if let name = part["name"]?.stringValue { return texts[name] ?? "" }
    return part["text"]?.stringValue ?? ""
  }

  /// Returns a text without the secrets in it.
  @Sendable func hidden(in text: String) -> String {
    texts.values.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
      .reduce(text) { $0.replacing($1, with: "(secret)") }
  }
}
