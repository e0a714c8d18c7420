import MoonTerminal
import Moonwire

/// The command `:registrations`, which lists what modules register, with the places in their files.
///
/// The name of a kind lists those of the kind: `:registrations presenters`, or `:presenters`.
struct RegistrationsCommand: PromptCommand {
  static let manual = CommandManual(
    name: "registrations", arguments: "[kind or module]",
    summary: "lists what modules register, with file and line; :presenters and the like do too",
    example: ":registrations presenters")

  /// The kinds to list; nil for all.
  private let kinds: [RegistrationKind]?
  private let module: String?

  init(kinds: [RegistrationKind]) {
    self.kinds = kinds
    module = nil
  }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let found = Self.kinds(named: arguments.trimmedRest)
    kinds = found.isEmpty ? nil : found
    module = found.isEmpty ? try arguments.moduleName() : nil
  }

  /// Returns the kinds that a word in the plural stands for; several for `mappers`.
  static func kinds(named word: String) -> [RegistrationKind] {
    guard word.utf8.count > 3 else { return [] }
    let wanted = word.lowercased().replacing("_", with: " ").replacing("-", with: " ")
    return RegistrationKind.allCases.filter { kind in
      let name = kind.rawValue.replacing("_", with: " ").replacing("-", with: " ")
      return [name, "\(name)s"].contains { $0 == wanted || $0.hasSuffix(" \(wanted)") }
    }
  }

  /// The names of kinds in the plural, those of one word.
  static let kindNames = RegistrationKind.allCases.filter {
    !$0.isSingular && !$0.rawValue.contains(" ")
  }.map { $0 == .middleware ? $0.rawValue : "\($0.rawValue)s" }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching((kindNames + request.snapshot.modules).map { .init($0) })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let name = try await session.module(named: module)
    let modules = await session.host.moduleInfos().filter { name == nil || $0.name == name }
    let all = modules.flatMap { info in
      info.registrations.map { ListedRegistration(module: info.name, registration: $0) }
    }
    return Answer(
      registrations: all.filter { kinds?.contains($0.registration.kind) ?? true })
  }

  private struct Answer: PromptAnswer {
    let registrations: [ListedRegistration]

    func lines(_ layout: TextLayout) -> [String] {
      registrations.isEmpty
        ? [layout.dim("there are none")] : registrations.map { $0.line(layout) }
    }

    var record: Map? {
      ["kind": "registrations", "registrations": JSONRecord.list(registrations, \.record)]
    }
  }
}

extension ListedRegistration {
  /// `presenter  *  of shop  shop.lua:12`.
  func line(_ layout: TextLayout) -> String {
    let name = registration.kind.isSingular ? "" : "  \(registration.name)"
    let place = registration.place.map { "  \($0)" } ?? ""
    return layout.dim(registration.kind.rawValue)
      + layout.style.paint(TerminalText.singleLine(name), .key)
      + layout.dim(TerminalText.singleLine("  of \(module)\(place)"))
  }

  var record: Value {
    var map: Map = [
      "kind": JSONRecord.text(registration.kind.rawValue),
      "name": JSONRecord.text(registration.name), "module": JSONRecord.text(module.text),
    ]
    map["place"] = registration.place.map { JSONRecord.text("\($0)") }
    return .map(map)
  }
}
