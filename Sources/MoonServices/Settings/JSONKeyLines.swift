import Moonwire

/// The lines of the keys in the two outermost levels of a JSON text.
struct JSONKeyLines: Sendable {
  private var upper: [String: Int] = [:]
  private var lower: [String: [String: Int]] = [:]

  /// Returns the line of a key of the whole text, counted from 1; nil if there is none.
  subscript(key: String) -> Int? { upper[key] }

  /// Returns the line of a key in the table under another key.
  subscript(key: String, inner: String) -> Int? { lower[key]?[inner] }

  /// Finds the keys in the bytes of a valid JSON text.
  init(_ bytes: [UInt8]) {
    var (line, depth, index) = (1, 0, 0)
    var expectsKey = false
    var outer = ""
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        expectsKey = bytes[index] == UInt8(ascii: "{")
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): expectsKey = true
      case UInt8(ascii: ":"): expectsKey = false
      case UInt8(ascii: "\""):
        let end = Self.end(ofStringAt: index, in: bytes)
        if expectsKey, depth <= 2, let key = Self.text(of: bytes[index..<end]) {
          if depth == 1 {
            outer = key
            upper[key] = line
          } else {
            lower[outer, default: [:]][key] = line
          }
        }
        index = end - 1
      default: break
      }
      index += 1
    }
  }

  /// Returns the index after the string that begins at a quotation mark.
  private static func end(ofStringAt start: Int, in bytes: [UInt8]) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private static func text(of quoted: ArraySlice<UInt8>) -> String? {
    (try? Value(parsing: Array(quoted)))?.stringValue
  }
}
