import CMoonGuides

/// A guide that the program has in itself.
struct Guide {
  /// The name of its page: `WritingModules`.
  let name: String
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The text in Markdown.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The name as it is typed: `writing-modules`.
  var topic: String { Self.topic(of: name) }

  /// What the guide is for, in one sentence.
  var abstract: String {
    // The paragraph below the title.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
    return lines.prefix { !$0.isEmpty }.joined(separator: " ").replacing("`", with: "")
  }

  static var all: [Guide] {
    var count = 0
    let guides = UnsafeBufferPointer(start: mguides(&count), count: count)
    return guides.map {
      Guide(
        name: String(cString: $0.name),
        bytes: UnsafeBufferPointer(start: $0.text, count: $0.length))
    }
  }

  /// Returns the guide that a person names: `writing-modules`, `WritingModules` or
  /// `writing modules`.
  static func named(_ words: String) -> Guide? {
    let letters = Self.letters(words)
    return all.first { Self.letters($0.name) == letters }
  }

  /// Returns the name of a page as it is typed.
  static func topic(of name: String) -> String {
    let letters = Array(name)
    return letters.indices.map { index in
      guard index > 0, letters[index].isUppercase else { return letters[index].lowercased() }
      // A word begins after a small letter, and where a capital precedes one.
      let isAfterSmall = letters[index - 1].isLowercase
      let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
      return (isAfterSmall || isBeforeSmall ? "-" : "") + letters[index].lowercased()
    }.joined()
  }

  private static func letters(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
