package import MoonTerminal
import Moonwire

/// The completion at the cursor of a prompt.
///
/// It completes action types, fields of the payload and booleans; commands after a colon and their
/// arguments; and in Lua, names, fields, and the strings of `state("…")` and `dispatch("…")`.
package struct PromptCompleter {
  let snapshot: PromptSnapshot

  package init(snapshot: PromptSnapshot) { self.snapshot = snapshot }

  package func completion(of line: String, cursor: Int) -> Completion {
    let before = Array(line.utf8.prefix(cursor))
    let start = before.firstIndex { !PromptScanner.isSpace($0) } ?? before.count
    let request = CompletionRequest(snapshot: snapshot, before: before, start: start)
    guard start < before.count else { return request.types(suffix: " ") }
    switch before[start] {
    case UInt8(ascii: "#"): return .none
    case UInt8(ascii: "="): return lua(request)
    case UInt8(ascii: ":"): return command(request)
    default:
      guard let space = before[start...].firstIndex(where: PromptScanner.isSpace) else {
        return request.types(suffix: " ")
      }
      let type = String(decoding: before[start..<space], as: UTF8.self)
      return field(of: type, request.from(space))
    }
  }

  private func field(of type: String, _ request: CompletionRequest) -> Completion {
    let actions = snapshot.actions + ActionInfo.navigation + ActionInfo.requests
    guard let schema = actions.first(where: { $0.type == type })?.schema,
      let (word, used) = FieldWords.last(in: request.before[request.start...])
    else { return .none }
    let typed = request.before[word...]
    if let equals = typed.firstIndex(of: UInt8(ascii: "=")) {
      let key = String(decoding: typed[..<equals], as: UTF8.self)
      guard let field = schema.fields.first(where: { $0.name == key }), field.type.isBoolean else {
        return .none
      }
      return request.from(equals + 1).matching(["true", "false"].map { .init($0, suffix: " ") })
    }
    let left = schema.fields.filter { !used.contains($0.name) }
    return request.from(word).matching(
      left.map { .init("\($0.name)=", note: $0.typeText) })
  }

  private func command(_ request: CompletionRequest) -> Completion {
    let (before, start) = (request.before, request.start)
    guard let space = before[start...].firstIndex(where: PromptScanner.isSpace) else {
      return request.matching(PromptCommands.manuals.map { $0.candidate(prefix: ":") })
    }
    let name = String(decoding: before[(start + 1)..<space], as: UTF8.self)
    let argument = before[space...].firstIndex { !PromptScanner.isSpace($0) } ?? before.count
    return PromptCommands.named(name)?.completion(request.from(argument)) ?? .none
  }

  /// Completes a name, or in a string that is the argument of `state` or `dispatch`.
  private func lua(_ request: CompletionRequest) -> Completion {
    guard let quote = LuaString.open(in: request.before) else { return request.luaName() }
    let argument = request.from(quote + 1)
    switch LuaString.function(in: request.before, before: quote) {
    case "state": return argument.path()
    case "dispatch": return argument.types(suffix: "")
    default: return .none
    }
  }
}

extension PayloadSchema.FieldType {
  /// Whether the type accepts true and false.
  fileprivate var isBoolean: Bool { description.split(separator: "|").contains("boolean") }
}
