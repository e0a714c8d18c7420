import MoonScripts
import MoonServiceKit
import MoonSession
package import MoonValues

/// Whether a recording can be replayed with the modules as they are.
package enum ReplayVerdict: Sendable, Equatable {
  /// The modules are those of the recording.
  case fine
  /// Modules have changed; the texts say which, and how.
  case risky([String])
  /// No module knows these types of actions.
  case impossible(types: [String])

  /// Compares what was recorded, on these modules one after the other, with the modules of a host.
  ///
  /// - Complexity: O(modules, their files, and types), for each of `recorded`.
  package init(on recorded: [Surroundings], types: Set<Text>, with host: isolated Host) {
    // What only the host may make needs no module.
    let gone = types.filter {
      !host.modules.inService.knows($0) && !host.modules.inService.areMadeByHost($0)
    }
    if !gone.isEmpty {
      self = .impossible(types: gone.map(\.string).sorted())
      return
    }
    let present = Surroundings(of: host).modules
    var changes = Self.changes(from: recorded.last?.modules ?? [:], to: present, in: host)
    for earlier in recorded.dropLast() {
      for change in Self.changes(from: earlier.modules, to: present, in: host) {
        let text = change + " (earlier in the recording)"
        if !changes.contains(change), !changes.contains(text) { changes.append(text) }
      }
    }
    self = changes.isEmpty ? .fine : .risky(changes)
  }

  private static func changes(
    from recorded: Value, to present: Value, in host: isolated Host
  ) -> [String] {
    let (old, new) = (recorded.mapValue ?? Map(), present.mapValue ?? Map())
    var changes: [String] = []
    for (name, module) in old {
      guard let now = new[name] else {
        changes.append("module \(name) is gone")
        continue
      }
      if module["version"] != now["version"] { changes.append("module \(name): another version") }
      var sources: [String: LoadedSource] = [:]
      if case .string(let text) = name, let name = ModuleName(text.string) {
        sources = host.modules.reloader?.generations[name]?.files.sources ?? [:]
      }
      let files = Self.changedFiles(from: module["files"], to: sources)
      if !files.isEmpty { changes.append("module \(name): \(files.joined(separator: ", "))") }
    }
    for name in new.keys where old[name] == nil { changes.append("module \(name) is new") }
    return changes
  }

  private static func changedFiles(
    from recorded: Value?, to sources: [String: LoadedSource]
  ) -> [String] {
    let old = recorded?.mapValue ?? Map()
    let changed = old.filter { path, hash in
      guard case .string(let path) = path, let hash = hash.stringValue else { return true }
      return !(sources[path.string]?.isNamed(hash) ?? false)
    }
    let new = sources.keys.map { Key.string(Text($0)) }.filter { old[$0] == nil }
    return (changed.map { $0.key } + new).map { "\($0)" }.sorted()
  }
}
