import CMoonEdit

/// Functions for text that is shown on a terminal.
package enum TerminalText {
  /// Returns the number of columns that one line of `text` takes.
  ///
  /// Wide characters take two columns; combining characters and colours (SGR escapes) take none.
  /// Control characters count as none, so sanitize the text first. Widths come from the C library
  /// (`wcwidth`) per scalar: an emoji made of several scalars takes the sum of theirs.
  ///
  /// - Complexity: O(length of `text`).
  package static func width(of text: String) -> Int {
    var width = 0
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let sequence = colourPrefix(of: rest) {
        rest = rest[sequence.endIndex...]
        continue
      }
      rest.removeFirst()
      width += self.width(of: scalar)
    }
    return width
  }

  /// Breaks one line between words, so that no part takes more than `columns`.
  ///
  /// Parts after the first begin with `indent` blanks. A word that is too long stays whole, as does
  /// a line in fewer than `indent` + 10 columns. Sanitize text of unknown origin first.
  ///
  /// - Complexity: O(length of `line` × `columns`).
  package static func wrapped(_ line: String, to columns: Int, indent: Int) -> [String] {
    guard columns >= indent + 10, width(of: line) > columns else { return [line] }
    var lines: [String] = []
    var current = line.prefix { $0 == " " }.description
    var isBegun = false
    for word in line.dropFirst(current.count).split(
      separator: " ", omittingEmptySubsequences: false)
    {
      let longer = isBegun ? "\(current) \(word)" : current + word
      if isBegun, !word.isEmpty, width(of: longer) > columns {
        lines.append(current)
        current = String(repeating: " ", count: indent) + word
      } else {
        current = longer
      }
      isBegun = true
    }
    return lines + [current]
  }

  /// Makes text of unknown origin safe to show.
  ///
  /// Characters that could control the terminal or reorder the text are replaced by an escape such
  /// as `\u{1B}`. These are the control characters except newlines and tabs, the bidirectional
  /// controls, and the line and paragraph separators.
  ///
  /// - Complexity: O(length of `text`).
  package static func sanitized(_ text: String) -> String {
    escaping(text, where: needsSanitizing)
  }

  private static func escaping(
    _ text: String, where isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if !isEscaped(scalar) {
        safe.unicodeScalars.append(scalar)
      } else if scalar == "\r" {
        safe += "\\r"
      } else {
        safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return safe
  }

  /// Makes text of unknown origin safe to show within a line.
  ///
  /// As ``sanitized(_:)``, and newlines and tabs become blanks, so that the text can't begin a line
  /// of its own, where it would look like the program's.
  ///
  /// - Complexity: O(length of `text`).
  package static func singleLine(_ text: String) -> String {
    blanked(sanitized(text))
  }

  /// Makes text of unknown origin safe to show within a line on which a person decides.
  ///
  /// As ``singleLine(_:)``, and characters that aren't seen, such as zero-width blanks, become
  /// escapes as well.
  ///
  /// - Complexity: O(length of `text`).
  package static func exposed(_ text: String) -> String {
    blanked(escaping(text) { needsSanitizing($0) || isInvisible($0) })
  }

  /// Makes text of unknown origin safe to show on several lines, all but the first indented, so
  /// that none of them looks like the program's.
  ///
  /// - Complexity: O(length of `text`).
  package static func indented(_ text: String, by columns: Int) -> String {
    sanitized(text).replacing("\n", with: "\n" + String(repeating: " ", count: columns))
  }

  /// Returns whether ``sanitized(_:)`` changes `text`.
  ///
  /// - Complexity: O(length of `text`).
  package static func needsSanitizing(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: needsSanitizing)
  }

  /// Returns whether ``sanitized(_:)`` escapes a scalar.
  package static func needsSanitizing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F, 0x09, 0x0A: false
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    case 0x2028, 0x2029: true
    default: isControl(scalar)
    }
  }

  /// Returns `text` cut to at most `columns` columns, with an ellipsis in the last one if it was
  /// cut.
  ///
  /// `text` must not contain escapes.
  package static func clipped(_ text: String, to columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    guard columns > 0 else { return "" }
    var clipped = ""
    var width = 0
    for character in text {
      width += self.width(of: String(character))
      guard width < columns else { break }
      clipped.append(character)
    }
    return clipped + "…"
  }
}

extension TerminalText {
  /// Returns whether a scalar is a control character of ASCII or of Latin-1.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  /// Returns whether a scalar is shown as nothing at all.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .format
  }

  /// Returns text whose newlines and tabs are blanks.
  private static func blanked(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A }) else { return text }
    return String(text.map { ["\n", "\t"].contains($0) ? " " : $0 })
  }

  /// Returns the SGR escape at the beginning of `text`: ESC [, digits with ; or :, and m.
  static func colourPrefix(
    of text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.starts(with: ["\u{1B}", "["] as [Unicode.Scalar]) else { return nil }
    let parameters = text.dropFirst(2)
    guard let end = parameters.firstIndex(where: { !("0"..."9" ~= $0 || $0 == ";" || $0 == ":") }),
      text[end] == "m"
    else { return nil }
    return text[...end]
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    if 0x20..<0x7F ~= scalar.value { return 1 }
    return max(0, Int(medit_scalar_width(scalar.value)))
  }
}
