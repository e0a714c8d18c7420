import MoonSession
import MoonStore
import MoonValues

extension JournalEntry {
  /// Returns the text of a commit's entry, without making the entry.
  ///
  /// It has the bytes that ``bytes`` of the entry would have. The values between took half of the
  /// instructions of a record.
  static func text(of commit: Commit) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(320)
    if commit.actions.count == 1 {
      bytes.append("{\"action\":")
      commit.actions[0].writeJournalValue(into: &bytes)
    } else {
      bytes.append("{\"actions\":[")
      for (index, action) in commit.actions.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        action.writeJournalValue(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(",\"changes\":")
    StateEdits.write(from: commit.before, to: commit.after, into: &bytes)
    if commit.isMapped { bytes.append(",\"mapped\":true") }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

extension StateEdits {
  /// Appends the text of ``value`` of the changes between two states.
  ///
  /// - Complexity: O(what changed).
  fileprivate static func write(from old: Map, to new: Map, into bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "["))
    let isTruncated = Diff.forEachChange(from: .map(old), to: .map(new), limit: countMax) {
      path, before, after in
      if bytes.count > start + 1 { bytes.append(UInt8(ascii: ",")) }
      write(path, before, after, into: &bytes)
    }
    guard !isTruncated else {
      bytes.removeSubrange(start...)
      return StateEdits(from: old, to: new).value.writeCanonical(into: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func write(
    _ path: [Path.Component], _ before: Value?, _ after: Value?, into bytes: inout [UInt8]
  ) {
    let word: StaticString = after == nil ? "[\"-\",[" : before == nil ? "[\"+\",[" : "[\"=\",["
    bytes.append(word)
    for (index, step) in path.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch step {
      case .key(let text): CanonicalText.write(text, into: &bytes)
      case .index(let number): CanonicalText.write(number, into: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "]"))
    if let after {
      bytes.append(UInt8(ascii: ","))
      after.writeCanonical(into: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension [UInt8] {
  /// Appends the bytes of a text that is known when the program is built.
  mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }
}
