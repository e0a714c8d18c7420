/// The widths of characters in columns of a terminal, and the characters that may be shown at all.
package enum ColumnWidths {
  package static func width(of text: String) -> Int {
    var width = 0
    for character in text { width += self.width(of: character) }
    return width
  }

  package static func width(of character: Character) -> Int {
    if let ascii = character.asciiValue { return 0x20..<0x7F ~= ascii ? 1 : 0 }
    let scalars = character.unicodeScalars
    let width = scalars.reduce(0) { $0 + self.width(of: $1) }
    // A narrow symbol with an emoji selector takes two columns on terminals that understand it.
    let isEmoji = width == 1 && scalars.contains(emojiSelector)
    return isEmoji && scalars.first?.properties.isEmoji == true ? 2 : width
  }

  /// Makes text of unknown origin safe to show.
  ///
  /// Characters that could control the terminal or reorder text become escapes such as `\u{1B}`,
  /// and tabs become blanks. Newlines are kept.
  package static func sanitized(_ text: String) -> String {
    var isClean = true
    for byte in text.utf8 where byte < 0x20 || byte > 0x7E {
      isClean = false
      break
    }
    if isClean { return text }
    var safe = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\t": safe += "  "
      case "\r" where rest.first == "\n": continue
      case _ where !mustBeEscaped(scalar): safe.unicodeScalars.append(scalar)
      default: safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return safe
  }
}

extension ColumnWidths {
  /// Variation selector 16.
  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

  /// Wide characters that aren't emoji (East Asian Width W and F, UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]

  private static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || 0x7F..<0xA0 ~= value ? 0 : 1 }
    switch scalar.properties.generalCategory {
    // Vowels and final consonants of Korean syllables join the preceding character.
    case _ where 0x1160...0x11FF ~= value: return 0
    case .format where isPrefix(value): return 1
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation, !(0x1F1E6...0x1F1FF ~= value) { return 2 }
    return isWide(value) ? 2 : 1
  }

  /// Visible marks that precede numbers (Prepended_Concatenation_Mark).
  private static func isPrefix(_ value: UInt32) -> Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F, 0x0A: false
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    case 0x2028, 0x2029: true
    default: scalar.properties.generalCategory == .control
    }
  }
}
