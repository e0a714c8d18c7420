import MoonTerminal
import Moonwire

/// The command `:modules`, which lists the modules.
struct ModulesCommand: PromptCommand {
  static let manual = CommandManual(
    name: "modules", summary: "lists the modules, their problems and their usage")

  init() {}

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    await session.host.perform { host in
      let (modules, grants) = (host.moduleInfos(), host.grants)
      let lost = modules.map { module in
        (module.name, module.needs.filter { grants.answer(to: $0, of: module.name) != .granted })
      }
      return Answer(
        modules: modules, strays: host.strayProblems(),
        lost: Dictionary(lost) { first, _ in first })
    }
  }

  struct Answer: PromptAnswer {
    let modules: [ModuleInfo]
    /// The problems with files that belong to no module.
    let strays: [ModuleProblem]
    /// What modules need and aren't granted any more.
    var lost: [ModuleName: [Scope]] = [:]

    func lines(_ layout: TextLayout) -> [String] {
      let width = modules.map(\.name.text.count).max() ?? 0
      let usages = Self.aligned(
        modules.map { ModuleText.usage($0, isMeasured: layout.clock == .shown) })
      let lines = zip(modules, usages).map { text(of: $0, usage: $1, width, layout) }
      let problems =
        modules.flatMap { module in
          ModuleProblem.reports(
            module.problems, running: module.status == .failed ? nil : module.generation)
        } + strays.map(\.report)
      let all = lines + problems.map { $0.text(layout.style) }
      return all.isEmpty ? [layout.dim("there are no modules yet")] : all
    }

    var record: Map? {
      [
        "kind": "modules", "modules": JSONRecord.list(modules, JSONRecord.module),
        "problems": JSONRecord.list(strays) { $0.report.value },
      ]
    }

    private func text(
      of module: ModuleInfo, usage: String, _ width: Int, _ layout: TextLayout
    ) -> String {
      let (word, role): (String, Style.Role) =
        switch module.status {
        case .running: ("running", .good)
        case .stale: ("stale", .warning)
        case .suspended: ("suspended", .error)
        case .failed: ("failed", .error)
        }
      let parts = [
        module.generation > 0 ? "generation \(module.generation)" : nil, module.file,
        module.status == .failed ? nil : ModuleText.inventory(module).joined(separator: ", "),
      ].compactMap(\.self).filter { !$0.isEmpty }
      let head =
        layout.style.paint(module.name.text.padded(to: width), .emphasis) + "  "
        + layout.style.paint(word.padded(to: 7), role) + "  "
        + TerminalText.singleLine(parts.joined(separator: "  "))
      let more = [module.description ?? "", needs(of: module), usage].filter {
        !$0.isEmpty
      }.map {
        String(repeating: " ", count: width + 11) + layout.dim(TerminalText.singleLine($0))
      }
      return ([head] + more).joined(separator: "\n")
    }

    private func needs(of module: ModuleInfo) -> String {
      ModuleText.needs(module, lost: lost[module.name] ?? []) ?? ""
    }

    /// Returns the cells of each row on one line, aligned in columns.
    private static func aligned(_ rows: [[String]]) -> [String] {
      var widths: [Int] = []
      for row in rows {
        for (index, cell) in row.enumerated() {
          if index == widths.count { widths.append(0) }
          widths[index] = max(widths[index], cell.count)
        }
      }
      return rows.map { row in
        // The line ends after the last cell that isn't empty.
        let end = (row.lastIndex { !$0.isEmpty } ?? -1) + 1
        return row[..<end].enumerated().filter { widths[$0.offset] > 0 }.map { index, cell in
          index == end - 1 ? cell : cell.padded(to: widths[index])
        }.joined(separator: "  ")
      }
    }
  }
}
