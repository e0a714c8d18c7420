package import MoonActions
package import MoonServiceKit
package import MoonValues

/// What a task began with.
package struct TaskBeginning {
  /// The number in the journal, from 1.
  package let number: Int64
  package let module: ModuleName
  /// The name of the effect.
  package let effect: String
  /// The action that started it.
  package let action: Action
  /// The generation of the module, and the hashes of its files by their paths.
  package let generation: Int
  package let files: Map
  /// The module's main file.
  package let file: String
  /// The seed of `moon.random`.
  package let seed: Int64
  /// The idempotency key.
  package let key: Text
  /// Seconds since 1970.
  package let since: Double

  package init(
    number: Int64, module: ModuleName, effect: String, action: Action, generation: Int,
    files: Map, file: String, seed: Int64, key: Text, since: Double
  ) {
    self.number = number
    self.module = module
    self.effect = effect
    self.action = action
    self.generation = generation
    self.files = files
    self.file = file
    self.seed = seed
    self.key = key
    self.since = since
  }

  /// The form in a journal.
  package var value: Value {
    [
      "module": .string(Text(module.text)), "effect": .string(Text(effect)),
      "action": action.journalValue, "generation": .int(Int64(generation)),
      "files": .map(files), "file": .string(Text(file)), "seed": .int(seed),
      "key": .string(key), "since": .double(since),
    ]
  }

  /// Reads the form in a journal; nil if the value isn't one.
  package init?(_ number: Int64, _ value: Value) {
    guard let module = value["module"]?.stringValue.flatMap({ ModuleName($0) }),
      let effect = value["effect"]?.stringValue,
      let action = value["action"].flatMap(Action.init(journalValue:)),
      let generation = value["generation"]?.intValue, let files = value["files"]?.mapValue,
      let file = value["file"]?.stringValue, let seed = value["seed"]?.intValue,
      let key = value["key"]?.stringValue, let since = value["since"]?.doubleValue
    else { return nil }
    self.init(
      number: number, module: module, effect: effect, action: action,
      generation: Int(clamping: generation), files: files, file: file, seed: seed,
      key: Text(key), since: since)
  }
}
