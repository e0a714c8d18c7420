import MoonTerminal
import Moonwire

/// Finds what could stand before the cursor of a prompt.
///
/// Types of actions, then the fields of the payload, then truth values; commands after a colon and
/// what they take; in Lua the strings of `state("…")` and `dispatch("…")`. Nothing else.
struct PromptCompleter {
  let snapshot: PromptSnapshot

  /// How many entries of one map or list are proposed.
  static let childCountMax = 200

  func completion(of line: String, cursor: Int) -> Completion {
    let before = Array(line.utf8.prefix(cursor))
    let start = before.firstIndex { !PromptScanner.isSpace($0) } ?? before.count
    guard start < before.count else { return types(before, from: start) }
    switch before[start] {
    case UInt8(ascii: "#"): return .none
    case UInt8(ascii: "="): return lua(before)
    case UInt8(ascii: ":"): return command(before, from: start)
    default:
      guard let space = before[start...].firstIndex(where: PromptScanner.isSpace) else {
        return types(before, from: start)
      }
      return field(before, type: text(before[start..<space]), from: space)
    }
  }

  private func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  func matching(
    _ candidates: [Completion.Candidate], _ before: [UInt8], from start: Int
  ) -> Completion {
    let typed = text(before[start...])
    return Completion(
      replaceFrom: start, candidates: candidates.filter { $0.text.hasPrefix(typed) })
  }

  // MARK: Actions

  private func types(_ before: [UInt8], from start: Int) -> Completion {
    matching(typeCandidates(suffix: " "), before, from: start)
  }

  private func typeCandidates(suffix: String) -> [Completion.Candidate] {
    snapshot.actions.map { action in
      let hasFields = !(action.schema?.fields.isEmpty ?? true)
      return Completion.Candidate(
        action.type, suffix: hasFields ? suffix : "", note: action.description)
    }
  }

  private func field(_ before: [UInt8], type: String, from start: Int) -> Completion {
    guard let schema = snapshot.actions.first(where: { $0.type == type })?.schema,
      let (word, used) = FieldWords.last(in: before[start...])
    else { return .none }
    let typed = before[word...]
    if let equals = typed.firstIndex(of: UInt8(ascii: "=")) {
      let key = text(typed[..<equals])
      guard let field = schema.fields.first(where: { $0.name == key }), field.type.isBoolean else {
        return .none
      }
      let values = ["true", "false"].map { Completion.Candidate($0, suffix: " ") }
      return matching(values, before, from: equals + 1)
    }
    let left = schema.fields.filter { !used.contains($0.name) }
    return matching(
      left.map { field in
        Completion.Candidate(
          "\(field.name)=", note: Messages.type(of: field))
      }, before, from: word)
  }

  // MARK: Commands

  private func command(_ before: [UInt8], from start: Int) -> Completion {
    guard let space = before[start...].firstIndex(where: PromptScanner.isSpace) else {
      return matching(
        PromptCommand.allCases.map { command in
          Completion.Candidate(
            ":\(command.rawValue)", suffix: command.argument == .nothing ? "" : " ",
            note: Messages.summary(of: command))
        }, before, from: start)
    }
    guard let command = PromptCommand(rawValue: text(before[(start + 1)..<space])),
      let argument = before[space...].firstIndex(where: { !PromptScanner.isSpace($0) })
        ?? Optional(before.count)
    else { return .none }
    switch command.argument {
    case .path: return path(before, from: argument)
    case .module:
      return matching(
        snapshot.modules.map { Completion.Candidate($0) }, before, from: argument)
    case .command:
      return matching(
        PromptCommand.allCases.map {
          Completion.Candidate($0.rawValue, note: Messages.summary(of: $0))
        }, before, from: argument)
    case .count, .nothing: return .none
    case .screen, .control, .inputs, .url, .urlAndFields:
      return navigation(command.argument, before, from: argument)
    }
  }

  // MARK: Lua

  /// Completes in a string that is the argument of `state` or `dispatch`.
  private func lua(_ before: [UInt8]) -> Completion {
    guard let quote = LuaString.open(in: before) else { return .none }
    switch LuaString.function(in: before, before: quote) {
    case "state": return path(before, from: quote + 1)
    case "dispatch": return matching(typeCandidates(suffix: ""), before, from: quote + 1)
    default: return .none
    }
  }

  // MARK: Paths

  private func path(_ before: [UInt8], from start: Int) -> Completion {
    let typed = text(before[start...])
    var found = children(of: PathStem.stem(of: typed)).filter { $0.text.hasPrefix(typed) }
    // A finished name opens what is in it.
    if found.count == 1, found[0].text == typed, let path = try? Path(parsing: typed) {
      let below = children(of: path)
      if !below.isEmpty { found = below }
    }
    return Completion(replaceFrom: start, candidates: found)
  }

  private func children(of path: Path?) -> [Completion.Candidate] {
    guard let path, let value = snapshot.state.value(at: path) else { return [] }
    let steps: [(Path.Component, Value)]
    switch value {
    case .map(let map):
      steps = map.prefix(Self.childCountMax).map { (Path.Component($0.key), $0.value) }
    case .list(let list):
      steps = list.prefix(Self.childCountMax).enumerated().map { (.index(Int64($0 + 1)), $1) }
    default: return []
    }
    return steps.map { step, value in
      Completion.Candidate(path.appending(step).description, note: Messages.size(of: value))
    }
  }
}

extension PayloadSchema.FieldType {
  /// Whether it takes true and false.
  fileprivate var isBoolean: Bool { description.split(separator: "|").contains("boolean") }
}
