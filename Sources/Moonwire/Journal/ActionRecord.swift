import MoonSession
package import MoonStore
package import MoonValues

/// The form of an action in a journal: a map of `id`, `type`, `payload`, `time`, `cause`, `parent`,
/// `extra` and `guards`, of which the last three, and a payload of null, may be missing.
extension Action {
  /// The action for a journal.
  package var journalValue: Value {
    var map: Map = [
      "id": .int(meta.id), "type": .string(type), "time": .double(meta.time),
      "cause": meta.cause.journalValue,
    ]
    if payload != .null { map["payload"] = payload }
    map["parent"] = meta.parent.map { .int($0) }
    if !meta.extra.isEmpty { map["extra"] = .map(meta.extra) }
    map["guards"] = meta.guards.map { .list($0) }
    return .map(map)
  }

  /// Appends the text of ``journalValue``, whose keys are in order.
  func writeJournalValue(into bytes: inout [UInt8]) {
    bytes.append("{\"cause\":")
    meta.cause.writeJournalValue(into: &bytes)
    if !meta.extra.isEmpty {
      bytes.append(",\"extra\":")
      Value.map(meta.extra).writeCanonical(into: &bytes)
    }
    if let guards = meta.guards {
      bytes.append(",\"guards\":")
      Value.list(guards).writeCanonical(into: &bytes)
    }
    bytes.append(",\"id\":")
    CanonicalText.write(meta.id, into: &bytes)
    if let parent = meta.parent {
      bytes.append(",\"parent\":")
      CanonicalText.write(parent, into: &bytes)
    }
    if payload != .null {
      bytes.append(",\"payload\":")
      payload.writeCanonical(into: &bytes)
    }
    bytes.append(",\"time\":")
    CanonicalText.write(meta.time, into: &bytes)
    bytes.append(",\"type\":")
    CanonicalText.write(type, into: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Reads an action; nil if the value doesn't have the form of one.
  package init?(journalValue value: Value) {
    guard let id = value["id"]?.intValue, JournalRecord.numbers.contains(id),
      let type = value["type"]?.textValue,
      case .double(let time)? = value["time"],
      let cause = value["cause"].flatMap(Cause.init(journalValue:))
    else { return nil }
    self.init(type, value["payload"] ?? .null)
    meta.note(id: id, time: time, cause: cause, parent: value["parent"]?.intValue)
    meta.extra = value["extra"]?.mapValue ?? Map()
    meta.guards = value["guards"]?.listValue
  }
}

extension Value {
  /// The text of a string; nil for other values.
  fileprivate var textValue: Text? { if case .string(let text) = self { text } else { nil } }
}

/// The form of a cause in a journal: a word, or a list of `screen` and its id, or of `module`, its
/// name and the kind of the registration.
extension Cause {
  fileprivate var journalValue: Value {
    switch self {
    case .screen(let id): ["screen", .string(Text(id))]
    case .module(let name, let kind):
      ["module", .string(Text(name)), .string(Text(kind.rawValue))]
    case .prompt, .commandLine, .native, .host: .string(Text(description))
    }
  }

  /// Appends the text of ``journalValue``.
  fileprivate func writeJournalValue(into bytes: inout [UInt8]) {
    switch self {
    case .prompt, .commandLine, .native, .host: CanonicalText.write(Text(description), into: &bytes)
    case .screen(let id):
      bytes.append("[\"screen\",")
      CanonicalText.write(Text(id), into: &bytes)
      bytes.append(UInt8(ascii: "]"))
    case .module(let name, let kind):
      bytes.append("[\"module\",")
      CanonicalText.write(Text(name), into: &bytes)
      bytes.append(UInt8(ascii: ","))
      CanonicalText.write(Text(kind.rawValue), into: &bytes)
      bytes.append(UInt8(ascii: "]"))
    }
  }

  fileprivate init?(journalValue value: Value) {
    if let word = value.stringValue {
      let plain: [Cause] = [.prompt, .commandLine, .native, .host]
      guard let cause = plain.first(where: { $0.description == word }) else { return nil }
      self = cause
      return
    }
    guard let parts = value.listValue.map({ $0.compactMap(\.stringValue) }) else { return nil }
    switch (parts.first, parts.count) {
    case ("screen", 2): self = .screen(parts[1])
    case ("module", 3):
      guard let kind = RegistrationKind(rawValue: parts[2]) else { return nil }
      self = .module(parts[1], kind)
    default: return nil
    }
  }
}
