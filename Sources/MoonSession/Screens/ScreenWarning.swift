public import MoonCards
import MoonStore
public import MoonValues

/// A part of a screen that is left out or has no effect, with where it was written.
public struct ScreenWarning: Hashable, Sendable {
  /// What is wrong.
  public let warning: CardWarning
  /// The line that has the word, or else that of the view; nil for a screen without a view.
  public let place: SourcePlace?

  /// The known word that is most similar to the one that isn't.
  public var nearest: String? {
    Spelling.nearest(to: warning.word.string, in: warning.known.map(\.string))
  }
}

extension ScreenWarning: CustomStringConvertible {
  /// The places in the source and in the body, what is wrong there, and what may be meant.
  public var description: String {
    (place.map { "\($0): " } ?? "") + "\(warning)"
      + (nearest.map { "; did you mean \($0)?" } ?? "")
  }
}

extension View {
  /// Where a word of what it drew was written; its own place if the word isn't found.
  func place(of word: Text) -> SourcePlace? {
    guard let start = registration.place, let find = findWord else { return registration.place }
    // Options may have Lua's spelling, `max_lines` for `maxLines`.
    let spellings = [word.string, word.string.inLuaSpelling]
    return spellings.lazy.compactMap { find($0, start) }.first ?? start
  }
}

extension CardError {
  /// What scripts wrote for it: an unknown word, or the name of the field; nil for neither.
  var word: Text? {
    switch self {
    case .unknownWord(let word, _, _), .duplicateID(let word, _, _): word
    case .missing(let path), .empty(let path), .wrongKind(let path, _), .duplicateChoice(let path),
      .notAChoice(let path), .invertedRange(let path), .limitExceeded(_, _, let path):
      path.components.last.flatMap { if case .key(let name) = $0 { name } else { nil } }
    }
  }
}

extension String {
  /// `max_lines` for `maxLines`.
  fileprivate var inLuaSpelling: String {
    map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
  }
}
