import MoonServiceKit
package import MoonValues

/// The secret settings of a module, whose texts only services get.
///
/// In Lua, a secret is a table `{["\\0secret"] = {{name = "key"}, {text = "…"}}}`: the parts of a
/// text, the secret ones by name. Scripts make such tables by joining texts.
package struct Secrets: Sendable {
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

  /// Returns a value with `(secret)` in place of each secret.
  ///
  /// - Complexity: O(elements).
  package static func masked(_ value: Value) -> Value {
    switch value {
    case .list(let list): .list(List(list.map(masked)))
    case .map(let map):
      map.count == 1 && map[key]?.listValue != nil
        ? .string(Text(mark)) : .map(Map(map.map { ($0.key, masked($0.value)) }))
    default: value
    }
  }

  /// What stands in the place of a secret.
  fileprivate static let mark = "(secret)"

  /// Returns whether an argument holds the text of a secret.
  func areIn(_ value: Value) -> Bool { !texts.isEmpty && revealed(value) != value }

  private func text(of part: Value) -> String {
    if let name = part["name"]?.stringValue { return texts[name] ?? "" }
    return part["text"]?.stringValue ?? ""
  }

  /// Returns a text without the secrets in it, as they are or percent-encoded.
  ///
  /// The beginning of one is hidden as well where the text was cut off.
  ///
  /// - Complexity: O(length of the text × length of the secrets), if the module has any.
  @Sendable func hidden(in text: String) -> String {
    texts.values.filter { !$0.isEmpty }.sorted { $0.count > $1.count }.reduce(text) {
      HiddenText(of: $1).hidden(in: $0.replacing($1, with: Self.mark))
    }
  }
}

/// A failure whose description could show a part of a secret.
struct SecretFailure: ServiceFailure {
  let code: String
  var description: String { "it can't use the secret (\(code)), whose text isn't shown" }
}

/// A text to hide in others, also where URLs have it.
private struct HiddenText {
  /// The number of bytes from which the beginning of a text is hidden.
  private static let beginningMin = 4
  /// What stands where a text was shortened.
  private static let cut = Array("…".utf8)

  /// The text as it is, and as someone who decodes it once more gets it.
  private let forms: [[UInt8]]

  init(of text: String) {
    let bytes = Array(text.utf8)
    let decoded = PlainBytes(bytes).bytes
    let plain = bytes.map(PlainBytes.lowercased)
    forms = plain == decoded ? [plain] : [plain, decoded]
  }

  func hidden(in text: String) -> String {
    let bytes = Array(text.utf8)
    let plain = PlainBytes(bytes)
    var result: [UInt8] = []
    var (index, kept) = (0, 0)
    while index < plain.bytes.count {
      let length = forms.map { self.length(of: $0, in: plain.bytes[index...]) }.max() ?? 0
      if length > 0 {
        result += bytes[kept..<plain.starts[index]]
        result += Secrets.mark.utf8
        kept = plain.starts[index + length]
      }
      index += max(length, 1)
    }
    return kept == 0 ? text : String(decoding: result + bytes[kept...], as: UTF8.self)
  }

  /// Returns how many bytes of a form a text begins with; 0 if not with all, and it isn't cut off
  /// there.
  private func length(of form: [UInt8], in bytes: ArraySlice<UInt8>) -> Int {
    let shared = zip(form, bytes).prefix { $0 == $1 }.count
    if shared == form.count { return shared }
    let rest = bytes.dropFirst(shared)
    return shared >= Self.beginningMin && (rest.isEmpty || rest.starts(with: Self.cut)) ? shared : 0
  }
}

/// The bytes of a text without percent-encoding, and in lowercase, as hosts in URLs are.
private struct PlainBytes {
  private(set) var bytes: [UInt8] = []
  /// Where each of them begins in the text, and where the text ends.
  private(set) var starts: [Int] = []

  init(_ text: [UInt8]) {
    var index = 0
    while index < text.count {
      starts.append(index)
      if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
        let high = Self.digit(text[index + 1]), let low = Self.digit(text[index + 2])
      {
        bytes.append(Self.lowercased(high << 4 | low))
        index += 3
      } else {
        bytes.append(Self.lowercased(text[index]))
        index += 1
      }
    }
    starts.append(text.count)
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
