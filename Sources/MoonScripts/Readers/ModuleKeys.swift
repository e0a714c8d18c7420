import MoonLua
import MoonModules
import MoonValues

/// The keys of the table that a module's file returns.
package enum ModuleKeys {
  /// The keys.
  package static let names = readers.map(\.key)

  /// The readers of the keys, in the order in which they read.
  static let readers: [KeyReader] = [
    .description, .debug, .version, .needs, .settings, .state, .shape, .redact, .actions,
    .reducers,
    .reduceAll,
    .derive, .middleware, .afterReduce, .observe, .routes, .handlers, .routingOptions, .connect,
    .presenters, .title, .routingObservers, .routingPresenters, .windows, .containers, .unmatched,
    .keys, .views, .extends, .lifecycle, .mapModules, .mapNavigation, .effects, .api, .schedules,
    .commands,
    .onStart, .onRestore, .onStop, .onBack, .onSettings, .migrate,
  ]

  /// The earlier names of keys, with their current names.
  static let renamedKeys = [
    "observers": "routing_observers", "options": "routing_options", "start": "on_start",
    "stop": "on_stop",
  ]
}

extension ModuleReader {
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
    let fields = DebugFilter(isDebugging: isDebugging).fields(
      form.fields(
        of: table, key: "", known: ModuleKeys.readers.map(\.key), renamed: ModuleKeys.renamedKeys))
    for reader in ModuleKeys.readers {
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
}
