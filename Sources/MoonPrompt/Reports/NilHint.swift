import MoonServices
import Moonwire

/// Advice on Lua's errors about nil values.
struct NilHint {
  /// The kind in Lua's message: `global`, `field`, `method`, `local`, `upvalue` or `constant`.
  private let kind: String
  private let name: String
  private let isCall: Bool
  private let excerpt: Excerpt?
  private let known: Fault.KnownNames?

  /// Parses `attempt to call a nil value (field 'isnert')`; nil for any other error.
  init?(_ text: String, in excerpt: Excerpt?, _ known: Fault.KnownNames? = nil) {
    guard let open = text.firstRange(of: "a nil value (") else { return nil }
    let words = text[open.upperBound...].split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    kind = String(words[0])
    name = String(words[1].drop { $0 == "'" }.prefix { $0 != "'" && $0 != ")" })
    isCall = text.hasPrefix("attempt to call")
    self.excerpt = excerpt
    self.known = known
  }

  /// Returns the advice for an error that a registration of this kind raised.
  func advice(in registration: RegistrationKind) -> String? {
    switch kind {
    case "global": globalAdvice
    case "an": elementAdvice
    case "field" where name == "?": elementAdvice
    case "field", "method", "constant": fieldAdvice(in: registration)
    default: nil
    }
  }

  private var globalAdvice: String {
    if let reason = ScriptNames.absent[name] { return Self.absence(of: name, reason) }
    let known = ScriptNames.globals + ScriptNames.libraries.keys.sorted()
    let nearest = Spelling.nearest(to: name, in: known + wordsAround)
    let what = isCall ? "there is no function '\(name)'" : "nothing was ever assigned to '\(name)'"
    if ScriptNames.moon["moon.\(name)"] != nil { return "\(what): it is moon.\(name)" }
    if let nearest { return "\(what): did you mean \(nearest)?" }
    return isCall ? "\(what): is it a local of another file?" : what
  }

  /// Names the only element that the line of the error looks up, which Lua's message lacks.
  private var elementAdvice: String? {
    guard let line = lines.first else { return nil }
    let found = Set(line.matches(of: /[A-Za-z_][\w.]*(\[[^\[\]]+\])+/).map { String($0.output.0) })
    guard found.count == 1, let element = found.first else { return nil }
    return "is there an element at \(element)?"
  }

  private func fieldAdvice(in registration: RegistrationKind) -> String? {
    if isCall, registration == .reducer, ScriptNames.context.contains(name), isIn("self") {
      return "a reducer only changes the state: an effect of the action can do that, as in "
        + "effects = { … = function(payload, self) self.\(name)(…) end }"
    }
    if let (library, names) = library {
      let path = "\(library).\(name)"
      if let reason = ScriptNames.absent[path] ?? ScriptNames.absent[library] {
        return Self.absence(of: path, reason)
      }
      let nearest = Spelling.nearest(to: name, in: names).map { ": did you mean \(library).\($0)?" }
      return "there is no \(path)" + (nearest ?? "")
    }
    if kind == "method" {
      let strings = ScriptNames.libraries["string"] ?? []
      let nearest = Spelling.nearest(to: name, in: strings).map { "did you mean \($0)?" }
      return "there is no '\(name)': " + (nearest ?? "is it a field, called with a dot?")
    }
    if isCall { return "there is no function '\(name)' in that table" }
    if let advice = stateAdvice { return advice }
    guard registration == .reducer else { return nil }
    return "'\(name)' isn't there: is it in the module's `state`, or optional in the payload?"
  }

  /// Advice on a missing field of `state`.
  private var stateAdvice: String? {
    guard let known, isIn("state") else { return nil }
    if known.modules.contains(name), !known.fields.contains(name) {
      return "`state` is the module's own: read module \(name)'s with self.state(\"\(name).…\")"
    }
    return Spelling.nearest(to: name, in: known.fields).map {
      "there is no state.\(name): did you mean state.\($0)?"
    }
  }

  /// Returns whether the line of the error has the name as a field of a table.
  private func isIn(_ table: String) -> Bool {
    lines.first.map { Self.bases(of: name, in: $0).contains(table) } ?? false
  }

  private static func absence(of path: String, _ reason: String) -> String {
    "\(path) isn't in the sandbox" + (reason.isEmpty ? "" : ": \(reason)")
  }

  // MARK: The source

  /// The library that the name was looked up in, by path, with the names in it.
  ///
  /// Lua's message lacks it, so it is found in the excerpt. The line of the error is searched
  /// first.
  private var library: (path: String, names: [String])? {
    for line in lines {
      for base in Self.bases(of: name, in: line) {
        if let (path, names) = Self.library(base), !names.contains(name) { return (path, names) }
      }
    }
    return nil
  }

  /// The line of the error, followed by all lines of the excerpt.
  private var lines: [String] {
    guard let excerpt else { return [] }
    let index = excerpt.line - excerpt.firstLine
    guard excerpt.lines.indices.contains(index) else { return excerpt.lines }
    return [excerpt.lines[index]] + excerpt.lines
  }

  /// The names in moon and its parts, with those of the command's services.
  private static let moon = ScriptNames.moon.merging(
    Service.standard.map { ("moon.\($0.name)", $0.functions.map(\.name)) }
      + [("moon", Service.standard.map(\.name))], uniquingKeysWith: +)

  /// Returns the library that scripts use under a name.
  private static func library(_ base: String) -> (path: String, names: [String])? {
    if let names = ScriptNames.libraries[base] { return (base, names) }
    // Locals for parts of moon usually have the names of the parts.
    for path in [base, "moon.\(base)"] {
      if let names = moon[path] { return (path, names) }
    }
    if base == "moonwire", let names = moon["moon"] { return ("moon", names) }
    return base == "self" ? ("self", ScriptNames.context) : nil
  }

  /// Returns the paths before a name: `moon.ui` for `text` in `moon.ui.text`.
  private static func bases(of name: String, in line: String) -> [String] {
    var bases: [String] = []
    var rest = Substring(line)
    while let found = rest.firstRange(of: name) {
      let after = rest[found.upperBound...].first
      let before = line[..<found.lowerBound]
      rest = rest[found.upperBound...]
      guard let mark = before.last, mark == "." || mark == ":", after.map(isWord) != true
      else { continue }
      let base = before.dropLast().reversed().prefix { isWord($0) || $0 == "." }.reversed()
      bases.append(String(base))
    }
    return bases
  }

  /// The names in the excerpt, as suggestions for a misspelt local.
  private var wordsAround: [String] {
    let words = (excerpt?.lines ?? []).flatMap { line in
      line.split { !Self.isWord($0) }.map(String.init)
    }
    return words.filter { $0 != name && $0.count > 2 && $0.first?.isNumber == false }
  }

  private static func isWord(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }
}
