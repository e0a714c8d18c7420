/// A prompt in the form that the C layer needs: each escape is between two U+0001 and is followed
/// by a visible character.
struct PromptText {
  let marked: String

  init(_ prompt: String) {
    var pieces: [(escapes: String, visible: Unicode.Scalar)] = []
    var escapes = ""
    var rest = prompt.unicodeScalars[...]
    while let scalar = rest.first {
      if let sequence = TerminalText.colourPrefix(of: rest) {
        escapes.unicodeScalars.append(contentsOf: sequence)
        rest = rest[sequence.endIndex...]
        continue
      }
      rest.removeFirst()
      pieces.append((escapes, TerminalText.isControl(scalar) ? " " : scalar))
      escapes = ""
    }
    // libedit attaches an escape to the character after it. An escape at the end, where colours are
    // switched off, is moved in front of the last character, most often a space.
    if !escapes.isEmpty, !pieces.isEmpty { pieces[pieces.count - 1].escapes += escapes }
    var marked = ""
    for piece in pieces {
      if !piece.escapes.isEmpty { marked += "\u{1}\(piece.escapes)\u{1}" }
      marked.unicodeScalars.append(piece.visible)
    }
    self.marked = marked
  }
}
