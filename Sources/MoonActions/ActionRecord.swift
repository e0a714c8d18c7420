package import MoonValues

/// The form of an action in a journal: a map of `id`, `type`, `payload`, `time`, `cause`, `parent`,
/// `extra` and `guards`, of which the last three, and a payload of null, may be missing.
extension Action {
  /// The numbers that actions in a journal may have.
  ///
  /// What counts on from such a number can't overflow.
  package static let numbers: ClosedRange<Int64> = 1...(.max / 2)

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
  package func writeJournalValue(into text: inout TextBytes) {
    text.append("{\"cause\":")
    meta.cause.writeJournalValue(into: &text)
    if !meta.extra.isEmpty {
      text.append(",\"extra\":")
      Value.map(meta.extra).writeCanonical(into: &text)
    }
    if let guards = meta.guards {
      text.append(",\"guards\":")
      Value.list(guards).writeCanonical(into: &text)
    }
    text.append(",\"id\":")
    CanonicalText.write(meta.id, into: &text)
    if let parent = meta.parent {
      text.append(",\"parent\":")
      CanonicalText.write(parent, into: &text)
    }
    if payload != .null {
      text.append(",\"payload\":")
      payload.writeCanonical(into: &text)
    }
    text.append(",\"time\":")
    CanonicalText.write(meta.time, into: &text)
    text.append(",\"type\":")
    CanonicalText.write(type, into: &text)
    text.append(UInt8(ascii: "}"))
  }

  /// Reads the text that ``writeJournalValue(into:)`` writes; nil for any other.
  package init?(reading reader: inout FieldReader, depth: Int) {
    guard reader.pass("{\"cause\":"),
      let cause = reader.value(depth: depth).flatMap(Cause.init(journalValue:))
    else { return nil }
    var meta = Meta(cause: cause)
    if reader.pass(",\"extra\":") {
      guard case .map(let extra)? = reader.value(depth: depth) else { return nil }
      meta.extra = extra
    }
    if reader.pass(",\"guards\":") {
      guard case .list(let guards)? = reader.value(depth: depth) else { return nil }
      meta.guards = guards
    }
    guard reader.pass(",\"id\":"), case .int(let id)? = reader.value(depth: depth),
      Action.numbers.contains(id)
    else { return nil }
    meta.id = id
    if reader.pass(",\"parent\":") {
      guard case .int(let parent)? = reader.value(depth: depth) else { return nil }
      meta.parent = parent
    }
    var payload = Value.null
    if reader.pass(",\"payload\":") {
      guard let value = reader.value(depth: depth) else { return nil }
      payload = value
    }
    guard reader.pass(",\"time\":"), case .double(let time)? = reader.value(depth: depth),
      reader.pass(",\"type\":"), case .string(let type)? = reader.value(depth: depth),
      reader.pass("}")
    else { return nil }
    meta.time = time
    self.init(type, payload, meta: meta)
  }

  /// Reads an action; nil if the value doesn't have the form of one.
  package init?(journalValue value: Value) {
    guard let id = value["id"]?.intValue, Action.numbers.contains(id),
      let type = value["type"]?.textValue,
      case .double(let time)? = value["time"],
      let cause = value["cause"].flatMap(Cause.init(journalValue:))
    else { return nil }
    self.init(type, value["payload"] ?? .null)
    note(id: id, time: time, cause: cause, parent: value["parent"]?.intValue)
    meta.extra = value["extra"]?.mapValue ?? Map()
    meta.guards = value["guards"]?.listValue
  }
}

/// The form of a cause in a journal: a word, or a list of `screen` and its id, or of `module`, its
/// name and the kind of the registration.
extension Cause {
  /// The causes that are a word, which is their description.
  private enum Word {
    static let prompt = Text(Cause.prompt.description)
    static let commandLine = Text(Cause.commandLine.description)
    static let native = Text(Cause.native.description)
    static let host = Text(Cause.host.description)
  }

  fileprivate var journalValue: Value {
    switch self {
    case .screen(let id): ["screen", .string(Text(id))]
    case .module(let name, let kind):
      ["module", .string(Text(name)), .string(Text(kind.rawValue))]
    case .prompt: .string(Word.prompt)
    case .commandLine: .string(Word.commandLine)
    case .native: .string(Word.native)
    case .host: .string(Word.host)
    }
  }

  /// Appends the text of ``journalValue``.
  fileprivate func writeJournalValue(into text: inout TextBytes) {
    switch self {
    case .prompt: CanonicalText.write(Word.prompt, into: &text)
    case .commandLine: CanonicalText.write(Word.commandLine, into: &text)
    case .native: CanonicalText.write(Word.native, into: &text)
    case .host: CanonicalText.write(Word.host, into: &text)
    case .screen(let id):
      text.append("[\"screen\",")
      CanonicalText.write(Text(id), into: &text)
      text.append(UInt8(ascii: "]"))
    case .module(let name, let kind):
      text.append("[\"module\",")
      CanonicalText.write(Text(name), into: &text)
      text.append(UInt8(ascii: ","))
      CanonicalText.write(Text(kind.rawValue), into: &text)
      text.append(UInt8(ascii: "]"))
    }
  }

  fileprivate init?(journalValue value: Value) {
    if case .string(let word) = value {
      switch word {
      case Word.native: self = .native
      case Word.prompt: self = .prompt
      case Word.commandLine: self = .commandLine
      case Word.host: self = .host
      default: return nil
      }
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
