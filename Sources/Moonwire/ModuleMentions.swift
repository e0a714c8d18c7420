import MoonActions
import MoonScripts

/// The files of a module in Lua, and the names in them, by which it may concern other modules.
package struct ModuleMentions: Sendable {
  package let name: String
  /// The paths of its files, with the libraries that it requires.
  package let files: Set<String>
  /// The words in its quoted texts, among which are the names of the modules that it uses.
  package let words: Set<String>
  /// Whether it takes part in what any module does, since it listens to all actions or changes.
  package let concernsAll: Bool

  package init(name: String, files: Set<String>, words: Set<String>, concernsAll: Bool) {
    (self.name, self.files) = (name, files)
    (self.words, self.concernsAll) = (words, concernsAll)
  }

  /// Returns those of all modules in service, sorted by name.
  package static func all(on host: isolated Host) -> [ModuleMentions] {
    host.modules.inService.sorted.compactMap { entry in
      let module = entry.module
      guard let generation = host.modules.reloader?.generations[module.name] else { return nil }
      let listens = module.listeners.contains { $0.pattern == .all }
      let observes = module.observers.contains { observer in
        observer.selection.paths.contains { $0.components.isEmpty }
      }
      return ModuleMentions(
        name: module.name.text, files: Set(generation.files.sources.keys),
        words: generation.quotedWords,
        concernsAll: listens || observes || !module.wholeStateReducers.isEmpty)
    }
  }
}
