/// What a task asked for can't be had, in the words of a sentence.
package struct Refused: Error, Equatable {
  /// Why.
  package let text: String

  package init(_ text: String) { self.text = text }
}
