/// A pattern with at most one `*`, which matches any text.
struct StarPattern: Hashable, Sendable {
  let prefix: Substring
  /// The text after the star; nil if there is no star.
  let suffix: Substring?

  init(_ text: String) {
    // A byte of ASCII is never part of another scalar in UTF-8.
    if let star = text.utf8.firstIndex(of: UInt8(ascii: "*")) {
      prefix = text[..<star]
      suffix = text[text.utf8.index(after: star)...]
    } else {
      prefix = text[...]
      suffix = nil
    }
  }

  private func matches(_ text: Substring) -> Bool {
    guard let suffix else { return text == prefix }
    return text.count >= prefix.count + suffix.count && text.hasPrefix(prefix)
      && text.hasSuffix(suffix)
  }

  func covers(_ other: StarPattern) -> Bool {
    guard let theirs = other.suffix else { return matches(other.prefix) }
    guard let suffix else { return false }
    return other.prefix.hasPrefix(prefix) && theirs.hasSuffix(suffix)
  }

  func overlaps(_ other: StarPattern) -> Bool {
    guard let suffix else { return other.matches(prefix) }
    guard let theirs = other.suffix else { return matches(other.prefix) }
    return (prefix.hasPrefix(other.prefix) || other.prefix.hasPrefix(prefix))
      && (suffix.hasSuffix(theirs) || theirs.hasSuffix(suffix))
  }
}
