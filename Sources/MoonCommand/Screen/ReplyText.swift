import MoonTerminal
import Moonwire

/// Replies as people read them.
struct ReplyText {
  let style: Style
  let columns: Int
  /// Whether times of day, and what modules use, are shown: they differ from run to run, which a
  /// script's reader minds.
  let clock: ClockTimes
  /// How wide screens are.
  var screenColumns = TerminalSize.columnCountFallback

  enum ClockTimes {
    case shown
    case hidden
  }

  /// The lines; none if there is nothing to say.
  func lines(_ reply: Reply) -> [String] {
    switch reply {
    case .nothing, .leave, .reloaded: []
    case .resumed(let names): names.isEmpty ? [dim("no module is suspended")] : []
    case .dispatched(_, let outcome): changes(StateStep(outcome))
    case .evaluated(let values, let step):
      values.map(evaluated) + (step.changes.changes.isEmpty ? [] : changes(step))
    case .state(_, let value): [ValueText(style: style).full(value, columns: columns)]
    case .modules(let modules, let strays): modulesLines(modules, strays)
    case .actions(let actions): actionsLines(actions)
    case .log(let lines): lines.isEmpty ? [dim("the log is empty")] : lines.map { $0.text(style) }
    case .history(let entries):
      entries.isEmpty ? [dim("nothing has happened yet")] : entries.map(historyLine)
    // What was only shown or hidden is seen on the screen, which follows.
    case .did(_, let outcome): outcome.id == 0 ? [] : changes(StateStep(outcome))
    case .filled(let values): [ValueText(style: style).full(.map(values), columns: columns)]
    case .screen(let sight):
      sight.map { ScreenText(style: style, columns: screenColumns).lines($0) }
        ?? [dim(Messages.noScreenShown)]
    case .navigation(let tree): tree.drawing
    case .routes(let routes, let conflicts):
      RoutesText(style: style, columns: columns).lines(routes)
        + Messages.conflicts(conflicts).map { $0.text(style) }
    case .explained(let url, let explanation):
      RoutesText(style: style, columns: columns).lines(explanation, of: url)
    case .help(let command): HelpText(style: style).lines(command)
    }
  }

  /// What changed; of the navigation, only where it leads.
  private func changes(_ step: StateStep) -> [String] {
    let text = ChangeText(style: style, columns: columns)
    guard let tree = step.newNavigation else { return text.lines(step.changes) }
    let label = "navigation"
    let trails = step.movedWindowIDs.map { id in
      TrailText(tree: tree, windowID: id).text(columns: max(20, columns - label.count - 2))
    }
    let elsewhere = step.changesElsewhere
    return (elsewhere.changes.isEmpty ? [] : text.lines(elsewhere))
      + trails.map { style.paint(label, .key) + "  " + $0 }
  }

  private func dim(_ text: String) -> String { style.paint(text, .dim) }

  private func evaluated(_ value: EvaluatedValue) -> String {
    switch value {
    case .value(let value): ValueText(style: style).full(value, columns: columns)
    case .described(let text): TerminalText.sanitized(text)
    }
  }

  // MARK: Lists

  private func modulesLines(_ modules: [ModuleInfo], _ strays: [ModuleProblem]) -> [String] {
    let width = modules.map(\.name.text.count).max() ?? 0
    let usages = aligned(modules.map { Messages.usage($0, isMeasured: clock == .shown) })
    let lines = zip(modules, usages).map { module, usage in
      let name = module.name.text.padded(to: width)
      let (word, role): (String, Style.Role) =
        switch module.status {
        case .running: ("running", .good)
        case .stale: ("stale", .warning)
        case .suspended: ("suspended", .error)
        case .failed: ("failed", .error)
        }
      let parts = [
        module.generation > 0 ? "generation \(module.generation)" : nil, module.file,
        module.status == .failed ? nil : Messages.inventory(module).joined(separator: ", "),
      ].compactMap(\.self).filter { !$0.isEmpty }
      let head =
        style.paint(name, .emphasis) + "  " + style.paint(word.padded(to: 7), role) + "  "
        + parts.joined(separator: "  ")
      let more = [module.description ?? "", usage].filter { !$0.isEmpty }.map {
        String(repeating: " ", count: width + 11) + dim(TerminalText.sanitized($0))
      }
      return ([head] + more).joined(separator: "\n")
    }
    let problems =
      modules.flatMap { module in
        Messages.problems(
          module.problems, running: module.status == .failed ? nil : module.generation)
      } + strays.map(Messages.problem)
    let all = lines + problems.map { $0.text(style) }
    return all.isEmpty ? [dim("there are no modules yet")] : all
  }

  /// The cells of each row on one line, one below the other.
  private func aligned(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], cell.count)
      }
    }
    return rows.map { row in
      // The last cell that says something ends the line.
      let end = (row.lastIndex { !$0.isEmpty } ?? -1) + 1
      return row[..<end].enumerated().filter { widths[$0.offset] > 0 }.map { index, cell in
        index == end - 1 ? cell : cell.padded(to: widths[index])
      }.joined(separator: "  ")
    }
  }

  private func actionsLines(_ actions: [ActionInfo]) -> [String] {
    let shown = actions.map { action in
      let fields = (action.schema?.fields ?? []).map { field in
        "\(field.name)=\(field.type)\(field.isOptional ? "?" : "")"
      }
      return (([action.type] + fields).joined(separator: " "), action)
    }
    let width = min(44, shown.map(\.0.count).max() ?? 0)
    let lines = shown.map { text, action in
      let owner = action.type.prefix { $0 != "/" }
      let others = action.listeners.map(\.text).filter { $0 != owner }
      let heard = others.isEmpty ? "" : dim("  (also \(Messages.list(others)))")
      let type = style.paint(action.type, .key) + String(text.dropFirst(action.type.count))
      let space = String(repeating: " ", count: max(0, width - text.count) + 2)
      return type + space + TerminalText.sanitized(action.description ?? "") + heard
    }
    return lines.isEmpty ? [dim("there are no actions")] : lines
  }

  private func historyLine(_ entry: History.Entry) -> String {
    let meta = entry.action.meta
    let time = clock == .shown ? dim(TimeOfDay.text(meta.time)) + "  " : ""
    let parent = meta.parent.map { ", after #\($0)" } ?? ""
    let result =
      switch entry.result {
      case .done(hasChanged: true): style.paint("changed the state", .good)
      case .done(hasChanged: false): dim("changed nothing")
      case .failed(let error):
        style.paint("failed", .error) + ": "
          + TerminalText.sanitized(Messages.dispatch(error).headline)
      }
    var head = "#\(meta.id)  \(time)\(style.paint(entry.action.type.string, .key))"
    if entry.action.payload != .null {
      head += " " + ValueText(style: style).line(entry.action.payload, columns: 40)
    }
    return head + dim("  \(Messages.origin(meta.cause))\(parent)") + "  " + result
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
