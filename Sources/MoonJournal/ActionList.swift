import Glibc
package import Moonwire

/// Actions that a person has written down: a list in JSON, or lines of JSON, of
/// `{key?, name | type, payload?, date?}`.
///
/// A name without a slash is that of an action of the module under `key`. `date` isn't used.
///
/// Unlike a recording, it holds neither states nor what followed from the actions.
package struct ActionList: Sendable {
  /// An action and the line on which it begins.
  package struct Entry: Sendable {
    /// The action.
    package let action: Action
    /// The line, from 1.
    package let line: Int
  }

  /// The actions, in order.
  package let entries: [Entry]

  /// The maximum number of bytes of a list.
  package static let byteCountMax = 16 << 20

  private static let fields: [Key] = ["date", "key", "name", "payload", "type"]

  /// Reads a file; nil if it is something else, such as a journal or a recording.
  ///
  /// - Throws: ``JournalError`` if the file can't be read, or with the line that isn't an action.
  package init?(_ path: String) throws(JournalError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.bytes(of: path, upTo: Self.byteCountMax)
    } catch {
      if error.code == EFBIG { return nil }
      throw JournalError(path, JournalError.Reason(reading: error.code))
    }
    do throws(JournalError.Reason) {
      guard let entries = try Self.entries(in: bytes) else { return nil }
      self.entries = entries
    } catch {
      throw JournalError(path, error)
    }
  }

  private static func entries(in bytes: [UInt8]) throws(JournalError.Reason) -> [Entry]? {
    let text = bytes.withoutByteOrderMark[...]
    guard let first = text.firstIndex(where: { !isSpace($0) }) else { return nil }
    if text[first] == UInt8(ascii: "[") { return try list(Array(text)) }
    guard isAction(text[first...]) else { return nil }
    return try lines(Array(text))
  }

  /// Returns whether a text begins with a map whose first key is that of an action.
  private static func isAction(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "{") else { return false }
    let rest = text.dropFirst().drop(while: isSpace)
    return fields.contains { rest.starts(with: "\"\($0)\"".utf8) }
  }

  private static func list(_ text: [UInt8]) throws(JournalError.Reason) -> [Entry] {
    let values = try value(text, on: 1).listValue ?? List()
    var entries: [Entry] = []
    // The text is JSON, so that only brackets and texts need be told apart.
    var (line, depth, isText, next) = (1, 0, false, 0)
    var index = 0
    while index < text.count, next < values.count {
      let byte = text[index]
      if depth == 1, !isText, !isSpace(byte), byte != UInt8(ascii: ","), next == entries.count {
        entries.append(try entry(values[next], on: line))
      }
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "\\") where isText: index += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): if !isText { depth += 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { depth -= 1 }
      case UInt8(ascii: ","): if !isText, depth == 1 { next += 1 }
      default: break
      }
      index += 1
    }
    return entries
  }

  private static func lines(_ text: [UInt8]) throws(JournalError.Reason) -> [Entry] {
    var entries: [Entry] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
      entries.append(try entry(try value(Array(line), on: index + 1), on: index + 1))
    }
    return entries
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func value(
    _ text: [UInt8], on line: Int
  ) throws(JournalError.Reason) -> Value {
    do throws(ParseError) {
      return try Value(parsing: text)
    } catch {
      throw .invalidAction(line: line + error.line - 1, "\(error.reason)")
    }
  }

  /// Returns the type of an action, with the module under `key` if the name has none.
  private static func fullType(
    _ name: Text, _ key: Value?, _ line: Int
  ) throws(JournalError.Reason) -> Text {
    if name.string.contains("/") { return name }
    guard case .string(let module) = key, !module.isEmpty else {
      throw .invalidAction(
        line: line, "'\(name)' names no module: write counter/\(name), or the module under key")
    }
    return Text("\(module)/\(name)")
  }

  private static func entry(_ value: Value, on line: Int) throws(JournalError.Reason) -> Entry {
    guard let map = value.mapValue else {
      throw .invalidAction(line: line, "an action is a map with name or type, and payload")
    }
    if let other = map.keys.first(where: { !fields.contains($0) }) {
      let nearest = Spelling.nearest(to: "\(other)", in: fields.map { "\($0)" })
      throw .invalidAction(
        line: line,
        "an action has no \(other)" + (nearest.map { ": did you mean \($0)?" } ?? "")
          + "; it has name or type, and may have payload, key and date")
    }
    switch map["key"] {
    case nil, .null, .int, .double, .string: break
    default: throw .invalidAction(line: line, "key must be a text or a number")
    }
    guard let type = map["type"] ?? map["name"] else {
      throw .invalidAction(line: line, "name, or type, is missing: the action's type")
    }
    guard case .string(let text) = type, !text.isEmpty else {
      let field = map["type"] == nil ? "name" : "type"
      throw .invalidAction(line: line, "\(field) must be a text, such as counter/add")
    }
    if let name = map["name"], name != type {
      throw .invalidAction(line: line, "name and type differ: give one of them")
    }
    let action = Action(try fullType(text, map["key"], line), map["payload"] ?? .null)
    return Entry(action: action, line: line)
  }
}

/// The result of carrying out a list of actions.
package struct PlayedList: Sendable {
  /// The session, after the last action that was carried out.
  package let session: SessionID
  /// The number of actions that were carried out.
  package let count: Int
  /// The first entry that failed, and why.
  package let failure: (line: Int, type: Text, error: DispatchError)?
}

extension ActionList {
  /// Carries out the actions in a new session, with all that mappers and routings make of them.
  ///
  /// No effect starts. It ends with the first action that fails.
  package func play(on host: isolated Host) -> PlayedList {
    let session = host.openSessionWithoutEffects()
    for (index, entry) in entries.enumerated() {
      do throws(DispatchError) {
        let outcome = try host.dispatch(entry.action, to: session)
        if let failure = outcome.failures.first {
          return PlayedList(
            session: session, count: index,
            failure: (entry.line, failure.action.type, failure.error))
        }
      } catch {
        return PlayedList(
          session: session, count: index, failure: (entry.line, entry.action.type, error))
      }
    }
    return PlayedList(session: session, count: entries.count, failure: nil)
  }
}
