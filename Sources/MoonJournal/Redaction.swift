public import Moonwire

/// The values that a recording leaves out.
///
/// A rule such as `auth.token` names a place in the state, also in slices of `auth` that are put
/// aside, the field `token` of the payloads of all actions of module `auth`, and what its derived
/// actions, such as `auth/set_token`, put there. Copies under other names aren't found. The text
/// `(redacted)` replaces each value. With any rule, everything that durable tasks have learned is
/// left out.
public struct Redaction: Sendable {
  private var paths: [Path]

  /// Makes rules from paths, each with a module and at least one field; without paths, nothing is
  /// left out.
  public init(_ paths: [Path] = []) { self.paths = paths }

  /// The text that replaces a value.
  package static let mark = "(redacted)"
  private static let replacement = Value.string(Text(mark))

  /// Returns whether a value was left out anywhere in another.
  static func hasMark(_ value: Value) -> Bool {
    switch value {
    case .list(let list): list.contains(where: hasMark)
    case .map(let map): map.contains { hasMark($0.value) }
    default: value == replacement
    }
  }

  /// Adds what modules leave out anywhere in a recording.
  ///
  /// What only a later generation leaves out then isn't in the earlier part either.
  ///
  /// - Throws: ``JournalError`` if the recording is damaged.
  package mutating func noteAll(in run: RecordedRun) throws(JournalError) {
    var all = self
    try run.read { _, entry in
      if case .state(let state) = entry { all.note(state.surroundings) }
      return true
    }
    self = all
  }

  /// Returns an entry without the values.
  ///
  /// - Complexity: O(size of the entry) if there are rules.
  package func redacted(_ entry: JournalEntry) throws(JournalError.Reason) -> JournalEntry {
    paths.isEmpty ? entry : try JournalEntry(redacted(entry.bytes))
  }

  /// Adds what modules leave out.
  package mutating func note(_ surroundings: Surroundings) {
    for path in surroundings.redacted where !paths.contains(path) { paths.append(path) }
  }

  /// Returns the text of the next record without the values.
  ///
  /// After a record of a whole state, what its modules leave out is left out as well.
  ///
  /// - Complexity: O(size of the record) if there are rules, or if it is a whole state.
  package mutating func redact(_ record: JournalRecord) -> [UInt8] {
    if record.kind == .state, case .state(let entry)? = try? JournalEntry(record.bytes) {
      note(entry.surroundings)
    }
    return redacted(record.bytes)
  }

  /// Returns the text of a record without the values.
  ///
  /// - Complexity: O(size of the record) if there are rules.
  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard !paths.isEmpty, var record = try? Value(parsing: bytes, limits: .state) else {
      return bytes
    }
    guard case .map(var map) = record else { return bytes }
    // What tasks have learned has no names that a rule could give.
    if map["durable"] != nil { map["durable"] = Self.replacement }
    if var header = map["moonwire"]?.mapValue {
      header["tasks"] = nil
      map["moonwire"] = .map(header)
    }
    if let state = map["state"] { map["state"] = redacted(state: state) }
    if let action = map["action"] { map["action"] = redacted(action: action) }
    if let actions = map["actions"]?.listValue {
      map["actions"] = .list(List(actions.map(redacted(action:))))
    }
    if let inputs = map["inputs"]?.listValue {
      map["inputs"] = .list(List(inputs.map(redacted(inputs:))))
    }
    if let changes = map["changes"]?.listValue {
      map["changes"] = .list(List(changes.compactMap(redacted(change:))))
    }
    record = .map(map)
    var result: [UInt8] = []
    record.writeCanonical(into: &result)
    return result
  }

  /// Returns a saved state, in which a slice that is put aside has the key `auth@1` or `auth@1#2`.
  private func redacted(state: Value) -> Value {
    guard case .map(var map) = state else { return state }
    for (key, slice) in map {
      guard case .string(let name) = key else { continue }
      map[key] = redacted(slice, of: name.string.prefix { $0 != "@" })
    }
    return .map(map)
  }

  private func redacted(action: Value) -> Value {
    guard case .map(var map) = action, let type = map["type"]?.stringValue,
      let payload = map["payload"]
    else { return action }
    map["payload"] = redacted(derived: redacted(payload, of: type.prefix { $0 != "/" }), type)
    return .map(map)
  }

  /// Returns a payload without what goes into a field that a rule names, if the action is one that
  /// modules derive from the field: `auth/set_token {value}`.
  private func redacted(derived payload: Value, _ type: String) -> Value {
    paths.reduce(payload) { payload, path in
      guard path.components.count >= 2, case .key(let module) = path.components[0],
        case .key(let field) = path.components[1],
        Derivation.Kind.allCases.contains(where: { type == "\(module)/\($0.rawValue)_\(field)" })
      else { return payload }
      var rest = path.components.dropFirst(2)
      // What is appended is an element.
      if case .index? = rest.first { rest = rest.dropFirst() }
      return Self.replace(in: payload, at: Path([.key("value")] + rest))
    }
  }

  /// Returns a slice of a module, or a payload, without what the rules of the module name.
  private func redacted(_ value: Value, of module: Substring) -> Value {
    let first = Path.Component.key(Text(String(module)))
    return paths.reduce(value) { value, path in
      path.components.first == first
        ? Self.replace(in: value, at: Path(Array(path.components.dropFirst()))) : value
    }
  }

  /// Returns the inputs of a screen of any module without what a rule names.
  private func redacted(inputs: Value) -> Value {
    paths.reduce(inputs) { Self.replace(in: $0, at: Path(Array($1.components.dropFirst()))) }
  }

  /// Returns a change without what the rules name; nil for one below a value that is left out,
  /// which has no parts any more.
  private func redacted(change: Value) -> Value? {
    guard let parts = change.listValue, parts.count >= 2,
      let steps = parts[1].listValue.map({ $0.compactMap(Self.component) })
    else { return change }
    let isBelow = paths.contains {
      steps.count > $0.components.count && steps.starts(with: $0.components)
    }
    if isBelow { return nil }
    guard parts.count == 3 else { return change }
    var value = parts[2]
    for path in paths {
      if steps == path.components {
        value = Self.replacement
      } else if path.components.starts(with: steps) {
        value = Self.replace(in: value, at: Path(Array(path.components.dropFirst(steps.count))))
      }
    }
    return [parts[0], parts[1], value]
  }

  private static func component(_ step: Value) -> Path.Component? {
    switch step {
    case .string(let text): .key(text)
    case .int(let number): .index(number)
    default: nil
    }
  }

  private static func replace(in value: Value, at path: Path) -> Value {
    guard let step = path.components.first else { return replacement }
    let rest = Path(Array(path.components.dropFirst()))
    switch value {
    case .map(var map):
      guard let inner = map[step.mapKey] else { return value }
      map[step.mapKey] = replace(in: inner, at: rest)
      return .map(map)
    case .list(var list):
      guard case .index(let number) = step, let position = Int(exactly: number), position >= 1,
        position <= list.count
      else { return value }
      list[position - 1] = replace(in: list[position - 1], at: rest)
      return .list(list)
    default: return value
    }
  }
}
