import MoonTerminal
package import Moonwire

/// The summary of many changes of modules at once, such as after a checkout.
struct ReloadSummary: Sendable {
  /// The number of changes that are shown one by one: a quarter of a terminal.
  static let changeCountMax = 10

  private var reloads: [Reload] = []
  private var started = 0
  private var removed = 0
  private var recovered = 0
  private(set) var failures: [HostEvent] = []

  /// Makes a summary of the changes among some events; nil for few, which are shown one by one.
  init?(_ events: [HostEvent]) {
    let changes = events.filter(\.isModuleChange)
    guard changes.count > Self.changeCountMax else { return nil }
    for change in changes {
      switch change {
      case .reloaded(let reload): reloads.append(reload)
      case .started: started += 1
      case .removed: removed += 1
      case .recovered: recovered += 1
      default: failures.append(change)
      }
    }
  }

  /// Returns `500 modules reloaded: lib/text.lua changed, +3 routes, state kept, 180 ms`, with a
  /// line for each module whose state and tasks weren't simply kept.
  func lines(_ style: Style) -> [String] {
    var parts: [String] = []
    if !reloads.isEmpty {
      let counts = ModuleText.registrations(
        added: reloads.flatMap(\.added), removed: reloads.flatMap(\.removed), style)
      let details = [ModuleText.libraries(Set(reloads.flatMap(\.libraries))), counts, kept]
      let duration = reloads.map(\.duration).max() ?? .zero
      let names = Set(reloads.map(\.module))
      // One file may have been saved many times meanwhile.
      let times = reloads.count > names.count ? " \(reloads.count) times in all" : ""
      parts.append(
        style.paint(Wording.counted(names.count, "module"), .emphasis) + " reloaded\(times): "
          + (details + [Wording.time(duration)]).filter { !$0.isEmpty }.joined(separator: ", "))
    }
    let others = [(started, "started"), (removed, "removed"), (recovered, "as before")]
    parts += others.filter { $0.0 > 0 }.map {
      style.paint(Wording.counted($0.0, "module"), .emphasis) + " \($0.1)"
    }
    if failures.count > shownFailures.count {
      parts.append(
        style.paint(Wording.counted(failures.count, "module"), .error)
          + " can't be loaded; the first ones are below, :modules lists all")
    }
    return parts + unusual.prefix(Self.changeCountMax).map { ModuleText.reload($0, style) }
  }

  /// The failures that are reported in full.
  var shownFailures: ArraySlice<HostEvent> { failures.prefix(3) }

  /// The reloads that did more than keep the state.
  private var unusual: [Reload] {
    reloads.filter { reload in
      if reload.startsAgain || !reload.durableTasks.isEmpty || !reload.endedTasks.isEmpty {
        return true
      }
      return switch reload.state {
      case .none, .kept, .filled: false
      default: true
      }
    }
  }

  private var kept: String { unusual.isEmpty ? "state kept" : "" }
}

extension HostEvent {
  /// Whether a module has arrived, left or been replaced.
  package var isModuleChange: Bool {
    switch self {
    case .started, .reloaded, .removed, .failed, .recovered: true
    default: false
    }
  }
}
