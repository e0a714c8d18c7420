/// Pictures as text, for tests and documents.
extension Canvas {
  /// The rows, without blanks at their ends.
  package var text: String {
    (0..<rows).map { number in
      var line = row(number).compactMap(\.character)
      while line.last == " " { line.removeLast() }
      return String(line)
    }.joined(separator: "\n")
  }

  /// The picture as a piece of HTML, with classes for styles.
  package var html: String {
    let lines = (0..<rows).map { number in
      runs(of: number).map { run in
        let text = run.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let names = run.style.names
        return names.isEmpty ? text : "<span class=\"\(names)\">\(text)</span>"
      }.joined()
    }
    return "<pre class=\"stage\">\n" + lines.joined(separator: "\n") + "\n</pre>"
  }

  /// A piece of a row in one style.
  struct Run: Equatable {
    var column: Int
    var text: String
    var style: StageStyle
  }

  /// The pieces of a row; a character whose width terminals may see differently ends one.
  func runs(of number: Int) -> [Run] {
    var runs: [Run] = []
    var isOpen = false
    for (column, cell) in row(number).enumerated() {
      guard let character = cell.character else {
        isOpen = false
        continue
      }
      if isOpen, let last = runs.indices.last, runs[last].style == cell.style {
        runs[last].text.append(character)
      } else {
        runs.append(Run(column: column, text: String(character), style: cell.style))
      }
      isOpen = character.isASCII || character.unicodeScalars.count == 1
    }
    return runs
  }
}

extension StageStyle {
  /// The names of what is particular about the style.
  fileprivate var names: String {
    let names: [String?] = [
      color.map { "\($0)" }, isBold ? "bold" : nil, isDim ? "dim" : nil,
      isUnderlined ? "underlined" : nil, isReversed ? "reversed" : nil,
    ]
    return names.compactMap(\.self).joined(separator: " ")
  }
}
