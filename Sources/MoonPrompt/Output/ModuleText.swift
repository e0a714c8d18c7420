import MoonTerminal
package import Moonwire

/// Lines about modules: their changes, registrations and usage.
package enum ModuleText {
  /// Returns the line of a reload: `counter 1→2: +1 reducer −1 observer, state kept, 1.8 ms`.
  static func reload(_ reload: Reload, _ style: Style) -> String {
    let parts = [
      libraries(Set(reload.libraries)),
      registrations(added: reload.added, removed: reload.removed, style),
      reload.state.text(style), reload.startsAgain ? "started again, as it had failed" : "",
      endedTasks(reload), begunTasks(reload), durableTasks(reload),
      Wording.time(reload.duration),
    ]
    return style.paint(reload.module.text, .emphasis)
      + " \(reload.from)→\(reload.to): "
      + parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns `2 tasks ended: watch, long`; empty if there are none.
  private static func endedTasks(_ reload: Reload) -> String {
    tasks(reload.endedTasks, of: reload.module).map { "\($0) ended: \($1)" } ?? ""
  }

  /// Returns `1 task begins again: watch`; empty if there are none.
  private static func begunTasks(_ reload: Reload) -> String {
    tasks(reload.begunTasks, of: reload.module).map { count, names in
      "\(count) \(reload.begunTasks.count == 1 ? "begins" : "begin") again: \(names)"
    } ?? ""
  }

  /// The number of effects that a line names.
  private static let nameCountMax = 4

  /// Returns `2 tasks` and the names of their effects, each once; nil if there are none.
  private static func tasks(
    _ tasks: [Registration], of module: ModuleName
  ) -> (count: String, names: String)? {
    guard !tasks.isEmpty else { return nil }
    var names: [String] = []
    for task in tasks {
      let own = "\(module)/"
      let name = task.name.hasPrefix(own) ? String(task.name.dropFirst(own.count)) : task.name
      if !names.contains(name) { names.append(name) }
    }
    let left = names.count - nameCountMax
    let shown = names.prefix(nameCountMax).map { TerminalText.singleLine($0) }
    return (
      Wording.counted(tasks.count, "task"),
      (shown + (left > 0 ? ["\(left) more"] : [])).joined(separator: ", ")
    )
  }

  /// Returns `2 durable tasks go on in generation 1`; empty if there are none.
  private static func durableTasks(_ reload: Reload) -> String {
    reload.durableTasks.sorted { $0.key < $1.key }.map { generation, count in
      "\(Wording.counted(count, "durable task")) \(count == 1 ? "goes" : "go") on in generation "
        + "\(generation)"
    }.joined(separator: ", ")
  }

  /// Returns the line of a start: `todo 1: started, 6 actions, 7 reducers, 1 observer`.
  static func started(_ module: ModuleInfo, _ style: Style) -> String {
    style.paint(module.name.text, .emphasis)
      + " \(module.generation): started" + inventory(module).map { ", \($0)" }.joined()
  }

  static func removed(_ module: ModuleName, _ style: Style) -> String {
    style.paint(module.text, .emphasis)
      + ": removed, its files are gone; its state is put aside"
  }

  static func recovered(_ module: ModuleName, generation: Int, _ style: Style) -> String {
    style.paint(module.text, .emphasis)
      + " \(generation): its files are again what is in service"
  }

  static func restarted(_ module: ModuleName, generation: Int, _ style: Style) -> String {
    style.paint(module.text, .emphasis)
      + " \(generation): its code was ended and restarted, state kept"
  }

  static func resumed(_ module: ModuleName, _ style: Style) -> String {
    style.paint(module.text, .emphasis) + ": resumed, it is called again"
  }

  /// Returns the number of registrations of each kind: `2 actions`, `3 reducers`, ….
  static func inventory(_ module: ModuleInfo) -> [String] {
    counts(module.registrations).map { Wording.counted($0.count, $0.kind.rawValue) }
  }

  /// Returns `needs state:*, granted`; nil if the module needs nothing.
  ///
  /// `lost` is what it was granted and isn't any more.
  package static func needs(_ module: ModuleInfo, lost: [Scope] = []) -> String? {
    guard !module.needs.isEmpty else { return nil }
    let list = Wording.list(module.needs.map(\.description))
    if module.status == .failed { return "needs \(list), not granted" }
    guard !lost.isEmpty else { return "needs \(list), granted" }
    let missing = lost == module.needs ? "" : Wording.list(lost.map(\.description)) + " "
    return "needs \(list), \(missing)not granted: its calls are refused"
  }

  /// Returns the usage: `1.2 MB (peak 3.4 MB)`, `12 ms in 3,400 calls` and `2 faults`; empty texts
  /// for zero.
  ///
  /// Without `isMeasured`, the texts contain only what is the same in every run.
  static func usage(_ module: ModuleInfo, isMeasured: Bool) -> [String] {
    let faults = self.faults(module)
    guard isMeasured else { return [faults] }
    guard let usage = module.usage else { return ["", "", faults] }
    let (now, most) = (Wording.size(usage.memory), Wording.size(usage.memoryPeak))
    let calls = usage.calls
    let time =
      calls == 0
      ? ""
      : "\(Wording.time(usage.time)) in \(Wording.grouped(calls)) \(calls == 1 ? "call" : "calls")"
    return [now == most ? now : "\(now) (peak \(most))", time, faults]
  }

  private static func faults(_ module: ModuleInfo) -> String {
    if module.faults == 0 { return "" }
    let recent = module.recentFaults
    let row = recent > 1 ? " (\(recent) in the last \(HostOptions.faultCallCount) calls)" : ""
    return "\(Wording.grouped(module.faults)) \(module.faults == 1 ? "fault" : "faults")\(row)"
  }

  /// Says `lib/text.lua changed`, or how many libraries did; an empty text for none.
  static func libraries(_ paths: Set<String>) -> String {
    guard let first = paths.min() else { return "" }
    let more = paths.count - 1
    return more == 0
      ? "\(TerminalText.singleLine(first)) changed"
      : "\(TerminalText.singleLine(first)) and \(Wording.counted(more, "more file")) changed"
  }

  /// Says `+1 reducer −1 observer`; an empty text if there are none.
  static func registrations(
    added: [Registration], removed: [Registration], _ style: Style
  ) -> String {
    let added = counts(added).map {
      style.paint("+\(Wording.counted($0.count, $0.kind.rawValue))", .good)
    }
    let removed = counts(removed).map {
      style.paint("−\(Wording.counted($0.count, $0.kind.rawValue))", .warning)
    }
    return (added + removed).joined(separator: " ")
  }

  private static func counts(
    _ registrations: [Registration]
  ) -> [(kind: RegistrationKind, count: Int)] {
    RegistrationKind.allCases.compactMap { kind in
      let count = registrations.count { $0.kind == kind }
      return count > 0 ? (kind, count) : nil
    }
  }
}
