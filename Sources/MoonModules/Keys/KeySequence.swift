/// Keys that are pressed one after another, such as `g i`; most often only one.
package struct KeySequence: Hashable, Sendable {
  /// The maximum number of keys.
  package static let lengthMax = 4

  /// The keys in the order in which they are pressed; there is at least one.
  package let presses: [KeyPress]

  /// Reads keys, with spaces between them.
  package init(parsing text: String) throws(KeyError) {
    var presses: [KeyPress] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard presses.count < Self.lengthMax else { throw .tooLong }
      presses.append(try KeyPress(parsing: word))
    }
    guard !presses.isEmpty else { throw .empty }
    self.presses = presses
  }

  private init(_ presses: some Sequence<KeyPress>) { self.presses = Array(presses) }

  /// The sequences that this one begins with, the shortest first, and last itself.
  package var beginnings: [KeySequence] { presses.indices.map { KeySequence(presses[...$0]) } }
}

extension KeySequence: CustomStringConvertible {
  /// The keys as they are always written.
  package var description: String { presses.map(\.text).joined(separator: " ") }
}
