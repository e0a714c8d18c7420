import MoonTerminal
import Moonwire

/// The command `:grants`, which lists what modules request and are granted.
struct GrantsCommand: ModuleCommand {
  static let manual = CommandManual(
    name: "grants", arguments: "[module]",
    summary: "lists what one module or all of them request, and whether it is granted",
    example: ":grants weather")

  let module: String?

  init(_ module: String?) { self.module = module }

  func run(
    on module: ModuleName?, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    GrantsAnswer(kind: "grants", grants: await ModuleGrant.all(of: module, on: session.host))
  }
}

/// The scopes that modules request, one on each line.
struct GrantsAnswer: PromptAnswer {
  let kind: String
  let grants: [ModuleGrant]
  /// What was granted or revoked though no module requests it.
  var unrequested: Grants.Rule?

  func lines(_ layout: TextLayout) -> [String] {
    let notes = unrequested.map { rule in
      let module = rule.module.map { $0.text } ?? "the module"
      let scope = TerminalText.singleLine("\(rule.scope)")
      return [
        layout.dim("\(module) doesn't request \(scope): that matters once its needs name it")
      ]
    }
    guard !grants.isEmpty else { return notes ?? [layout.dim("nothing is requested")] }
    return table(layout) + (notes ?? [])
  }

  private func table(_ layout: TextLayout) -> [String] {
    let modules = grants.map { $0.module?.text ?? "*" }
    let scopes = grants.map { TerminalText.singleLine("\($0.scope)") }
    let (first, second) = (modules.map(\.count).max() ?? 0, scopes.map(\.count).max() ?? 0)
    return grants.indices.map { index in
      let grant = grants[index]
      let name = modules[index].padding(to: first)
      return layout.style.paint(name, .emphasis) + "  "
        + layout.style.paint(scopes[index].padding(to: second), .key) + "  "
        + TerminalText.singleLine(grant.state + grant.purpose.withComma)
    }
  }

  var record: Map? {
    var record: Map = [
      "kind": JSONRecord.text(kind), "grants": JSONRecord.list(grants, \.record),
    ]
    record["unrequested"] = unrequested.map { JSONRecord.text("\($0)") }
    return record
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }

  /// The text after a comma, if there is any.
  fileprivate var withComma: String { isEmpty ? "" : "," + self }
}

extension ModuleGrant {
  /// The state of the grant in a few words.
  var state: String {
    switch answer {
    case .granted: "granted"
    case .notGranted: "not granted" + consequence
    case .denied(let rule): "denied by \(rule.file ?? "--deny or :revoke \(rule)")" + consequence
    }
  }

  /// What becomes of a module in service that needs what isn't granted.
  private var consequence: String {
    isInService && !isOptional ? ": it is in service, and its calls are refused" : ""
  }

  var record: Value {
    var map: Map = [
      "module": JSONRecord.text(module?.text ?? "*"), "scope": JSONRecord.text("\(scope)"),
      "optional": .bool(isOptional), "granted": .bool(answer == .granted),
    ]
    map["reason"] = reason.map(JSONRecord.text)
    if case .denied(let rule) = answer { map["denied_by"] = JSONRecord.text("\(rule)") }
    return .map(map)
  }
}
