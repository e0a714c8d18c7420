import MoonActions
import MoonModules
import MoonSession
import MoonValues

extension JournalEntry {
  /// Returns the text of a commit's entry, without making the entry.
  ///
  /// Its bytes are those of the entry's ``bytes``. The values in between took half of the
  /// instructions of a record.
  static func text(of commit: Commit) -> [UInt8] {
    var text = TextBytes(capacity: 480)
    if commit.actions.count == 1 {
      text.append("{\"action\":")
      commit.actions[0].writeJournalValue(into: &text)
    } else {
      text.append("{\"actions\":[")
      for (index, action) in commit.actions.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        action.writeJournalValue(into: &text)
      }
      text.append(UInt8(ascii: "]"))
    }
    text.append(",\"changes\":")
    StateEdits.write(from: commit.before, to: commit.after, into: &text)
    commit.notes.write(into: &text)
    if commit.isMapped { text.append(",\"mapped\":true") }
    text.append(UInt8(ascii: "}"))
    return text.array
  }
}

extension JournalEntry.CommitEntry {
  /// Reads the text of a commit of one action as ``JournalEntry/text(of:)`` writes it; nil for any
  /// other text.
  ///
  /// Its parts are those that the entry's `init(_:)` would find, without the maps around them,
  /// which took more than half of the instructions.
  init?(canonical bytes: UnsafeBufferPointer<UInt8>) {
    guard var reader = FieldReader(bytes, limits: .state), reader.pass("{\"action\":"),
      let action = Action(reading: &reader, depth: 2), reader.pass(",\"changes\":"),
      let edits = reader.value(depth: 1), case .list = edits
    else { return nil }
    let isMapped = reader.pass(",\"mapped\":true")
    guard reader.pass("}"), reader.isAtEnd else { return nil }
    self.init(actions: [action], isMapped: isMapped, notes: CommitNotes(), edits: edits)
  }
}

extension StateEdits {
  /// Appends the text of ``value`` of the changes between two states.
  ///
  /// - Complexity: O(what changed).
  fileprivate static func write(from old: Map, to new: Map, into text: inout TextBytes) {
    let start = text.count
    text.append(UInt8(ascii: "["))
    let isTruncated = Diff.forEachChange(from: .map(old), to: .map(new), limit: countMax) {
      path, before, after in
      if text.count > start + 1 { text.append(UInt8(ascii: ",")) }
      write(path, before, after, into: &text)
    }
    guard !isTruncated else {
      text.removeBytes(from: start)
      return StateEdits(from: old, to: new).value.writeCanonical(into: &text)
    }
    text.append(UInt8(ascii: "]"))
  }

  private static func write(
    _ path: [Path.Component], _ before: Value?, _ after: Value?, into text: inout TextBytes
  ) {
    text.append(after == nil ? "[\"-\",[" : before == nil ? "[\"+\",[" : "[\"=\",[")
    for index in path.indices {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      switch path[index] {
      case .key(let name): CanonicalText.write(name, into: &text)
      case .index(let number): CanonicalText.write(number, into: &text)
      }
    }
    text.append(UInt8(ascii: "]"))
    if let after {
      text.append(UInt8(ascii: ","))
      after.writeCanonical(into: &text)
    }
    text.append(UInt8(ascii: "]"))
  }
}
