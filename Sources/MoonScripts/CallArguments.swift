import MoonValues

/// The arguments of a call of the host by Lua code.
extension [Value?] {
  /// Returns the text of an argument: of a string itself, of other values as they are written.
  func text(_ index: Int) -> String {
    guard index < count, let value = self[index] else { return "" }
    return value.stringValue ?? value.canonicalText
  }
}
