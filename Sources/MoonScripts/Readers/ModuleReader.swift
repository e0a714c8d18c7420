import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

/// What the readers of a module's keys share: the form that is read, and what it is read for.
struct ModuleReader {
  var form: FormReader
  var patternCount = PatternCount()
  let generation: Generation
  /// The permissions of modules.
  let grants: Grants
  /// What the person tells modules.
  let settings: SettingSource
  /// Whether registrations for debugging are read.
  let isDebugging: Bool

  init(
    generation: Generation, source: [UInt8], grants: Grants, settings: SettingSource = .none,
    isDebugging: Bool = false
  ) {
    self.isDebugging = isDebugging
    self.grants = grants
    self.settings = settings
    form = FormReader(module: generation.name, file: generation.file, source: source)
    self.generation = generation
  }

  mutating func pattern(
    _ text: String, key: String, place: SourcePlace?
  ) -> ActionPattern? {
    if let pattern = ActionPattern(text, owner: generation.name.text) { return pattern }
    form.note(.invalidPattern(key: key, text: text), at: place, key: key)
    return nil
  }

  mutating func priority(_ value: Form?, key: String) -> Int {
    form.integer(value, key: key + ".priority").map { Int(clamping: $0) } ?? 0
  }

  /// Reads a table of functions by name, each alone or as `{ run = f, priority = 1 }`.
  mutating func rankedFunctions(
    _ table: Form, key: String
  ) -> [(name: String, function: LuaFunction, priority: Int)] {
    guard let entries = table.fields else {
      form.note(
        .wrongKind(key: key, expected: "a table of functions", found: table.kind), key: key)
      return []
    }
    return entries.compactMap { name, value in
      if let function = value.functionValue { return (name, function, 0) }
      let key = Path([.key(Text(key)), .key(Text(name))]).description
      let fields = form.fields(of: value, key: key, known: ["priority", "run"])
      let priority = priority(fields["priority"], key: key)
      return form.required(fields["run"], key: key + ".run", value).map { (name, $0, priority) }
    }
  }

  /// Reads a function for all actions, or a table of functions by action.
  mutating func functionsByAction(
    _ table: Form, key: String
  ) -> [(pattern: ActionPattern, function: LuaFunction)] {
    if let function = table.functionValue { return [(.all, function)] }
    guard table.fields != nil else {
      let expected = "a function, or a table of functions by action"
      form.note(.wrongKind(key: key, expected: expected, found: table.kind), key: key)
      return []
    }
    return form.functions(table, key: key).compactMap { name, function in
      pattern(name, key: key, place: function.place).map { ($0, function) }
    }
  }
}

/// A reader of one key of a module's table, which also makes the calls to the functions in it.
struct KeyReader: Sendable {
  /// The name of the key.
  let key: String
  /// The maximum number of entries in its table.
  ///
  /// The host reads all of them, and no budget of the module counts that time.
  let countMax: Int
  /// Reads the value under the key, notes its problems, and adds the rest to a module.
  let read: @Sendable (inout ModuleReader, Form, inout Module) -> Void

  init(
    _ key: String, countMax: Int = 1_000,
    _ read: @escaping @Sendable (inout ModuleReader, Form, inout Module) -> Void
  ) {
    self.key = key
    self.countMax = countMax
    self.read = read
  }
}

extension Form {
  /// Returns the elements of a list, or the form itself, each with the key that errors name.
  func elementsOrSelf(key: String) -> [(form: Form, key: String)] {
    guard functionValue == nil, let elements else { return [(self, key)] }
    return elements.enumerated().map { ($1, "\(key)[\($0 + 1)]") }
  }
}
