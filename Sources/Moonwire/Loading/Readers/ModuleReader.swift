import MoonLua
import MoonSession
import MoonStore
import MoonValues

/// A reader that makes a ``Module`` from the table that a file returns.
struct ModuleReader {
  /// The keys that a module's table may have, in the order in which they are read.
  static let readers: [KeyReader] = [
    .description, .version, .needs, .settings, .state, .redact, .actions, .reducers, .reduceAll,
    .derive, .middleware, .afterReduce, .observe, .routes, .handlers, .routingOptions, .connect,
    .presenters, .routingObservers, .routingPresenters, .unmatched,
    .views, .extends, .lifecycle, .mapModules, .mapNavigation, .effects, .api, .schedules,
    .commands,
    .onStart, .onRestore, .onStop, .onBack, .onSettings, .migrate,
  ]

  /// The earlier names of keys, with their current names.
  static let renamedKeys = [
    "observers": "routing_observers", "options": "routing_options", "start": "on_start",
    "stop": "on_stop",
  ]

  var form: FormReader
  var patternCount = PatternCount()
  let generation: Generation
  /// The permissions of modules.
  let grants: Grants
  /// What the person tells modules.
  let settings: SettingSource

  init(
    generation: Generation, source: [UInt8], grants: Grants, settings: SettingSource = .none
  ) {
    self.grants = grants
    self.settings = settings
    form = FormReader(module: generation.name, file: generation.file, source: source)
    self.generation = generation
  }

  /// Reads the table.
  ///
  /// - Throws: ``LoadFailure`` with all problems of the table.
  mutating func module(_ table: Form?) throws(LoadFailure) -> Module {
    var module = Module(name: generation.name)
    if let table, table.fields != nil {
      read(table, into: &module)
    } else {
      let isList = if case .value(.list) = table { true } else { false }
      form.note(.returned(isList ? "a list" : table?.kind ?? "nothing"))
    }
    guard form.problems.isEmpty else { throw LoadFailure(problems: form.problems) }
    return module
  }

  private mutating func read(_ table: Form, into module: inout Module) {
    let fields = form.fields(
      of: table, key: "", known: Self.readers.map(\.key), renamed: Self.renamedKeys)
    for reader in Self.readers {
      guard let value = fields[reader.key] else { continue }
      guard value.entryCount <= reader.countMax else {
        form.note(
          .tooMany(key: reader.key, count: value.entryCount, max: reader.countMax),
          key: reader.key)
        continue
      }
      reader.read(&self, value, &module)
    }
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
      return required(fields["run"], key: key + ".run", value).map { (name, $0, priority) }
    }
  }

  /// Reads a required function in a table of fields.
  mutating func required(_ value: Form?, key: String, _ table: Form) -> LuaFunction? {
    form.required(value, key: key, table)
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
  /// The number of entries; 0 if it isn't a table.
  fileprivate var entryCount: Int {
    switch self {
    case .table(let entries): entries.count
    case .value(.list(let list)): list.count
    case .value(.map(let map)): map.count
    case .value, .function, .opaque: 0
    }
  }

  /// Returns the elements of a list, or the form itself, each with the key that errors name.
  func elementsOrSelf(key: String) -> [(form: Form, key: String)] {
    guard functionValue == nil, let elements else { return [(self, key)] }
    return elements.enumerated().map { ($1, "\(key)[\($0 + 1)]") }
  }
}
