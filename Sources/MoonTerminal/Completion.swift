/// Proposals for the word before the cursor.
package struct Completion: Sendable, Equatable {
  /// One proposal.
  package struct Candidate: Sendable, Equatable {
    /// The text that replaces the word.
    package let text: String
    /// The text inserted after it if it is the only candidate, such as a space.
    package let suffix: String
    /// The note shown beside it in a list.
    package let note: String?

    /// Makes a proposal.
    package init(_ text: String, suffix: String = "", note: String? = nil) {
      self.text = text
      self.suffix = suffix
      self.note = note
    }
  }

  /// An empty set of proposals.
  package static let none = Completion(replaceFrom: 0, candidates: [])

  /// The start of the word, as a byte offset into the UTF-8 of the line, at most the cursor's.
  ///
  /// An offset inside a character stands for the cursor itself.
  package let replaceFrom: Int
  /// The proposals, in the order in which they are listed.
  package let candidates: [Candidate]

  /// Proposes `candidates` for the text between `replaceFrom` and the cursor.
  package init(replaceFrom: Int, candidates: [Candidate]) {
    self.replaceFrom = replaceFrom
    self.candidates = candidates
  }
}

/// The effect of pressing Tab.
struct CompletionChoice: Equatable {
  enum Action: Equatable {
    /// There is nothing to complete, or too much to choose from.
    case refuse
    /// The text replaces this number of scalars before the cursor.
    case insert(String, replacedCount: Int)
    /// Tab was pressed twice, so the candidates are listed.
    case list([Completion.Candidate])
  }

  /// The line and cursor after a Tab that left several candidates.
  ///
  /// A second Tab there lists them.
  struct Ambiguity: Equatable {
    let line: String
    let cursor: Int
  }

  let action: Action
  let ambiguity: Ambiguity?

  init(of completion: Completion, line: String, cursor: Int, after last: Ambiguity?) {
    let bytes = line.utf8
    let cursorIndex = bytes.index(bytes.startIndex, offsetBy: min(max(cursor, 0), bytes.count))
    let start = Self.start(of: completion, in: line, before: cursorIndex)
    let typed = line[start..<cursorIndex]
    let candidates = completion.candidates

    guard let first = candidates.first else {
      action = .refuse
      ambiguity = nil
      return
    }
    if candidates.count == 1 {
      action = .insert(first.text + first.suffix, replacedCount: typed.unicodeScalars.count)
      ambiguity = nil
      return
    }
    let prefix = Self.commonPrefix(of: candidates)
    if prefix != typed, prefix.unicodeScalars.count >= typed.unicodeScalars.count {
      action = .insert(prefix, replacedCount: typed.unicodeScalars.count)
      ambiguity = Ambiguity(
        line: line[..<start] + prefix + line[cursorIndex...],
        cursor: line[..<start].utf8.count + prefix.utf8.count)
      return
    }
    let here = Ambiguity(line: line, cursor: cursor)
    action = here == last ? .list(candidates) : .refuse
    ambiguity = here
  }

  private static func start(
    of completion: Completion, in line: String, before cursor: String.Index
  ) -> String.Index {
    let offset = completion.replaceFrom
    guard offset >= 0, offset <= line.utf8.distance(from: line.startIndex, to: cursor) else {
      return cursor
    }
    let start = line.utf8.index(line.startIndex, offsetBy: offset)
    return start.samePosition(in: line.unicodeScalars) ?? cursor
  }

  private static func commonPrefix(of candidates: [Completion.Candidate]) -> String {
    guard let first = candidates.first else { return "" }
    var prefix = first.text.unicodeScalars[...]
    for candidate in candidates.dropFirst() {
      let pairs = zip(prefix, candidate.text.unicodeScalars)
      prefix = prefix.prefix(pairs.prefix { $0 == $1 }.count)
    }
    return String(prefix)
  }
}
