extension Duration {
  /// The maximum time that an option accepts, in milliseconds.
  private static let optionMax = 1_000_000_000_000

  /// Parses `500ms` or `30s`; nil if the text isn't a time.
  init?(option text: String) {
    let digits = text.prefix { ("0"..."9").contains($0) }
    guard let number = Int(digits), number <= Self.optionMax else { return nil }
    switch text.dropFirst(digits.count) {
    case "ms": self = .milliseconds(number)
    case "s": self = .milliseconds(min(number, Self.optionMax / 1_000) * 1_000)
    default: return nil
    }
  }
}
