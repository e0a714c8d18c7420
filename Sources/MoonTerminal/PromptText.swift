/// A prompt in the form the C layer asks for: escapes between pairs of U+0001, each of them
/// followed by a visible character.
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
    // libedit attaches an escape to the character after it. An escape at the end, which is where
    // colours are switched off, goes in front of the last character, most often a space.
    if !escapes.isEmpty, !pieces.isEmpty { pieces[pieces.count - 1].escapes += escapes }
    var marked = ""
    for piece in pieces {
      if !piece.escapes.isEmpty { marked += "\u{1}\(piece.escapes)\u{1}" }
      marked.unicodeScalars.append(piece.visible)
    }
    self.marked = marked
  }
}
