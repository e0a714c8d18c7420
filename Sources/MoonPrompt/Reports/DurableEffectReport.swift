import MoonTerminal
package import Moonwire

extension Report {
  /// Makes the note on durable effects in a run that keeps no journal; nil if there are none.
  package init?(notKeptEffects effects: [Registration]) {
    self.init(
      durableEffects: effects, "no journal is kept, so durable effects end with this run",
      "--journal FILE keeps what they need to go on")
  }

  /// Makes the note on the durable effects of modules that were checked; nil if there are none.
  package init?(checkedEffectsOf modules: [ModuleInfo]) {
    self.init(
      durableEffects: modules.flatMap(\.durableEffects),
      "durable effects go on only in runs with a journal",
      "moonwire run with --journal FILE keeps what they need")
  }

  private init?(durableEffects effects: [Registration], _ headline: String, _ help: String) {
    guard !effects.isEmpty else { return nil }
    let rows = effects.prefix(Self.rowCountMax).map { effect in
      Row("effect", effect.name + (effect.place.map { " (\($0))" } ?? ""))
    }
    self.init(.note, headline, rows: rows + [Row("help", help)])
  }
}
