import MoonServices
import MoonTerminal
import Moonwire

/// The command `:settings`, which rereads the settings of modules and lists them.
struct SettingsCommand: PromptCommand {
  static let manual = CommandManual(
    name: "settings", summary: "reads the settings of modules again, and lists them")

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    var problems: [Report] = []
    do throws(SettingsFileError) {
      try session.settings?.reload()
    } catch {
      problems.append(Report(.warning, "the file of settings can't be read", detail: "\(error)"))
    }
    let configured = session.settings
    let (refused, modules, unknown) = await session.host.perform { host in
      (
        host.updateSettings(),
        host.moduleInfos().map { ($0.name, host.settings(of: $0.name)) },
        configured?.unknown(in: host) ?? []
      )
    }
    problems += refused.sorted { $0.key < $1.key }.map {
      Report(.warning, "the settings of module \($0.key) stay", detail: "\($0.value)")
    }
    problems += unknown.map(\.report)
    return Answer(
      rows: modules.flatMap { module, settings in
        settings.map {
          Answer.Row(
            module: module, setting: $0.setting, value: $0.value, isGiven: $0.isGiven)
        }
      }, problems: problems)
  }

  struct Answer: PromptAnswer {
    /// A setting of a module; without a value if it is secret or missing.
    struct Row: Sendable {
      let module: ModuleName
      let setting: Setting
      let value: Value?
      let isGiven: Bool

      var text: String {
        guard isGiven else { return "not given" }
        return value?.canonicalText ?? "(secret)"
      }
    }

    let rows: [Row]
    let problems: [Report]

    func lines(_ layout: TextLayout) -> [String] {
      let lines = rows.map { row in
        layout.style.paint("\(row.module).\(row.setting.name)", .key)
          + " = \(TerminalText.singleLine(row.text))"
          + (row.setting.summary.map { layout.dim("  \(TerminalText.singleLine($0))") } ?? "")
      }
      return (lines.isEmpty ? [layout.dim("no module has settings")] : lines)
        + problems.map { $0.text(layout.style) }
    }

    var record: Map? {
      [
        "kind": "settings",
        "settings": JSONRecord.list(rows) { row in
          var map: Map = [
            "module": JSONRecord.text(row.module.text), "name": JSONRecord.text(row.setting.name),
            "secret": .bool(row.setting.isSecret),
          ]
          map["value"] = row.value
          return .map(map)
        },
        "problems": JSONRecord.list(problems) { $0.value },
      ]
    }
  }
}
