/// Keys that are pressed one after another, such as `g i`; most often only one.
package struct KeySequence: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of keys.
  package static let lengthMax = 4
  /// The maximum number of bytes of a text that is read; no keys have names of that length.
  private static let bytesMax = 200

  /// The keys in the order in which they are pressed; there is at least one.
  package let presses: [KeyPress]
  /// The keys as they are always written.
  package let description: String

  /// Reads keys, with spaces between them.
  package init(parsing text: String) throws(KeyError) {
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
    var presses: [KeyPress] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard presses.count < Self.lengthMax else { throw .tooLong }
      presses.append(try KeyPress(parsing: word))
    }
    guard !presses.isEmpty else { throw .empty }
    guard presses.count == 1 || !presses.contains(where: { $0.text == KeyPress.focus }) else {
      throw .notPressed
    }
    self.init(presses[...])
  }

  private init(_ presses: ArraySlice<KeyPress>) {
    self.presses = Array(presses)
    description = presses.map(\.text).joined(separator: " ")
  }

  /// Whether it stands for the moves of the focus.
  package var isFocus: Bool { description == KeyPress.focus }

  /// The sequences that this one begins with, the shortest first, and last itself.
  package var beginnings: [KeySequence] { presses.indices.map { KeySequence(presses[...$0]) } }
}
