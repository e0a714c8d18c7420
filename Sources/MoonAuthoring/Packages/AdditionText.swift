package import MoonPrompt
package import MoonTerminal
package import Moonwire

/// What people and programs read of a module that was added or updated.
package struct AdditionText {
  private let addition: ModuleChanges.Addition

  package init(_ addition: ModuleChanges.Addition) { self.addition = addition }

  private var module: AddedModule { addition.module }
  private var brought: ModuleSource.Brought { addition.brought }

  /// The number of digits of a commit or a hash that people see.
  private static let digitCount = 12

  /// The lines: what has happened, the files, and what the module asks for.
  package func lines(_ style: Style) -> [String] {
    let name = style.paint(module.name.text, .emphasis)
    if addition.isSame { return ["module \(name) is as it was"] }
    let restored = addition.restored.map { "restored \(TerminalText.singleLine($0))" }
    guard isNew else { return restored }
    let at = module.revision.map { ", \($0.prefix(Self.digitCount))" } ?? ""
    let verb = addition.former == nil ? "added" : "updated"
    return ["\(verb) module \(name) from \(TerminalText.singleLine(module.origin))\(at)"]
      + changes.map { "  \($0.sign) \(TerminalText.singleLine($0.path))" }
      + restored.map { "  \($0)" }
      + brought.grants.map {
        "  \(needs("\($0.scope)")) \(style.paint(TerminalText.exposed("\($0.scope)"), .key))"
          + TerminalText.exposed($0.purpose)
      }
      + brought.settings.map {
        "  \(needs("settings.\($0.name)")) \(style.paint("settings.\($0.name)", .key))"
      }
  }

  /// Whether anything else came than what the app had, or should have had.
  private var isNew: Bool { addition.module != addition.former }

  /// The needs that the module hadn't before it was updated.
  private var newNeeds: [String] {
    guard let former = addition.formerNeeds else { return [] }
    let all = brought.grants.map { "\($0.scope)" } + brought.settings.map { "settings.\($0.name)" }
    return all.filter { !former.contains($0) }
  }

  private func needs(_ need: String) -> String {
    newNeeds.contains(need) ? "newly needs" : "needs"
  }

  /// The files that are new, different or gone.
  private var changes: [(sign: String, path: String)] {
    let former = addition.former?.files ?? [:]
    let paths = Set(former.keys).union(module.files.keys).sorted()
    return paths.compactMap { path in
      switch (former[path], module.files[path]) {
      case (nil, _): ("+", path)
      case (_, nil): ("−", path)
      case (let old, let new): old == new ? nil : ("~", path)
      }
    }
  }

  /// The warnings and notes.
  package var notices: [Report] {
    var reports = RouteConflict.reports(
      addition.conflicts, max: RouteConflict.requestedReportCountMax)
    guard isNew else { return reports }
    if let original = brought.originalName, !brought.namingOriginal.isEmpty {
      reports.append(
        Report(
          .warning,
          "texts in \(Self.someOf(brought.namingOriginal)) begin with '\(original)/'",
          rows: [
            .init(
              "help",
              "if they are types of the module's own actions, ask its author to write them without "
                + "its name, such as \"add\"")
          ]))
    }
    if !brought.leftOut.isEmpty {
      let paths = Self.someOf(brought.leftOut)
      reports.append(Report(.note, "\(paths) wasn't copied: links and devices aren't followed"))
    }
    return reports
  }

  /// Returns the first of some files, and the number of the others.
  private static func someOf(_ paths: [String]) -> String {
    let more = paths.count - 1
    return (paths.first ?? "") + (more > 0 ? " and \(Wording.counted(more, "more file"))" : "")
  }

  /// Says how to grant what the module needs, in a directory; nil if it needs nothing.
  package func advice(_ directory: String) -> String? {
    let needs = brought.grants.filter { !$0.isOptional }
    guard isNew, !needs.isEmpty else { return nil }
    let options = needs.map { "--allow '\(module.name)=\(TerminalText.exposed("\($0.scope)"))'" }
      .joined(separator: " ")
    return "read the module; grant what it needs with: moonwire run \(directory) \(options)"
  }

  /// The record for programs.
  package var record: Map {
    var map: Map = [
      "kind": "add", "module": .string(Text(module.name.text)),
      "origin": .string(Text(module.origin)), "is_same": .bool(addition.isSame),
      "files": Self.list(module.files.keys.sorted()),
      "needs": .list(
        List(
          brought.grants.map {
            ["scope": .string(Text("\($0.scope)")), "optional": .bool($0.isOptional)]
          })),
      "new_needs": Self.list(newNeeds), "restored": Self.list(addition.restored),
      "settings": Self.list(brought.settings.map(\.name)),
      "warnings": .list(List(notices.map(\.value))),
    ]
    map["revision"] = module.revision.map { .string(Text($0)) }
    return map
  }

  /// Returns a list of texts.
  package static func list(_ texts: [String]) -> Value {
    .list(List(texts.map { .string(Text($0)) }))
  }
}
