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
      bytes += "{\"action\":".utf8
      commit.actions[0].writeJournalValue(into: &bytes)
    } else {
      bytes += "{\"actions\":[".utf8
      for (index, action) in commit.actions.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        action.writeJournalValue(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes += ",\"changes\":".utf8
    StateEdits.write(from: commit.before, to: commit.after, into: &bytes)
    if commit.isMapped { bytes += ",\"mapped\":true".utf8 }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

extension StateEdits {
  /// Appends the text of ``value`` of the changes between two states.
  ///
  /// - Complexity: O(what changed).
  fileprivate static func write(from old: Map, to new: Map, into bytes: inout [UInt8]) {
    let diff = Diff.changes(from: .map(old), to: .map(new), limit: countMax)
    guard !diff.isTruncated else {
      return StateEdits(from: old, to: new).value.writeCanonical(into: &bytes)
    }
    bytes.append(UInt8(ascii: "["))
    for (index, change) in diff.changes.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(change, into: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func write(_ change: Change, into bytes: inout [UInt8]) {
    let word: StaticString =
      change.after == nil ? "[\"-\",[" : change.before == nil ? "[\"+\",[" : "[\"=\",["
    word.withUTF8Buffer { bytes += $0 }
    for (index, step) in change.path.components.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch step {
      case .key(let text): CanonicalText.write(text, into: &bytes)
      case .index(let number): CanonicalText.write(number, into: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "]"))
    if let after = change.after {
      bytes.append(UInt8(ascii: ","))
      after.writeCanonical(into: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
