import MoonLua
import MoonStore
import MoonValues

/// One load of a module in Lua: its machine, and the functions that call into it.
///
/// Confined to the host. A reload makes the next generation; this one lives as long as somebody
/// uses it.
final class Generation {
  let name: ModuleName
  /// The module's main file.
  let file: String
  /// Counted from 1 for each module.
  let number: Int
  let machine: Machine
  let budgets: Budgets
  private let growth: SliceGrowth
  /// The files that it was loaded from, with their contents at that time.
  let files: LoadedFiles

  init(
    name: ModuleName, file: String, number: Int, machine: Machine, budgets: Budgets,
    stateQuota: Int, files: LoadedFiles
  ) {
    self.name = name
    self.file = file
    self.number = number
    self.machine = machine
    self.budgets = budgets
    growth = SliceGrowth(quota: stateQuota)
    self.files = files
  }

  func excerpt(at place: SourcePlace?) -> Excerpt? {
    guard let place, let source = files.sources[place.file] else { return nil }
    return Excerpt(of: source.bytes, line: place.line)
  }

  // MARK: Registrations that call into the machine

  func reducer(_ pattern: ActionPattern, _ function: LuaFunction) -> Reducer {
    let template = CallLimits(
      budget: budgets.reducer, purity: .pure(seed: 0), entry: "a reducer")
    // Gives each reducer of an action random numbers of its own.
    let salt = Text("\(name):\(pattern)").stableHash
    return Reducer(pattern, place: function.place) { [machine, growth] state, action in
      var limits = template
      limits.purity = .pure(seed: action.seed ^ salt)
      let made = try machine.reduce(
        function, slice: state, payload: action.scriptPayload, action: { action.value },
        limits: limits)
      if growth.mustMeasure(machine.written) {
        try growth.measure(made, machine.written, function)
      }
      state = made
    }
  }

  func middleware(
    _ pattern: ActionPattern, _ priority: Middleware.Priority, _ function: LuaFunction
  ) -> Middleware {
    let limits = CallLimits(budget: budgets.middleware, purity: .impure, entry: "a middleware")
    let owner = name.text
    return Middleware(pattern, priority: priority, place: function.place) {
      [machine] action, state in
      let answers = try machine.call(
        function, [.value(action.value), .view(state, name: "")], limits: limits)
      return try Self.verdict(answers.first ?? nil, on: action, owner: owner, function)
    }
  }

  /// Reads the answer: nothing or true to pass, false to drop, an action or a list to replace.
  private static func verdict(
    _ answer: Value?, on action: Action, owner: String, _ function: LuaFunction
  ) throws(LuaError) -> Middleware.Verdict {
    switch answer {
    case nil, .bool(true): return .pass
    case .bool(false): return .drop
    case .map(let map) where map.isEmpty: return .drop  // a list of no actions
    case .list(let list):
      var actions: [Action] = []
      for element in list {
        guard let made = Action(script: element, owner: owner, like: action) else { break }
        actions.append(made)
      }
      if actions.count == list.count { return .replace(actions) }
    case let answer?:
      if let made = Action(script: answer, owner: owner, like: action) { return .replace([made]) }
    }
    throw .runtime(
      LuaReport(
        message: """
          a middleware returns nothing to pass the action on, false to drop it, or one action or a \
          list of actions, each {type = "…", payload = …}, to put in its place
          """, place: function.place))
  }

  func observer(_ path: Path, _ function: LuaFunction) -> Observer {
    let limits = CallLimits(budget: budgets.observer, purity: .impure, entry: "an observer")
    let label = path.description
    return Observer(path, place: function.place) { [machine] new, old, _ in
      _ = try machine.call(
        function,
        [
          new.map { .view($0, name: label) } ?? .none,
          function.takes(2) ? old.map { .view($0, name: label) } ?? .none : .none, .context,
        ], limits: limits)
    }
  }

  func hook(_ function: LuaFunction) -> Hook {
    let limits = CallLimits(budget: budgets.hook, purity: .impure, entry: "on_start or on_stop")
    return Hook(place: function.place) { [machine] _ in
      _ = try machine.call(function, [.context], limits: limits)
    }
  }

  func migration(_ function: LuaFunction) -> (Value, Int64) throws -> Value {
    let limits = CallLimits(budget: budgets.hook, purity: .pure(seed: 0), entry: "migrate")
    return { [machine] old, version in
      let answer = try machine.call(function, [.value(old), .value(.int(version))], limits: limits)
      switch answer.first {
      case .some(.some(let value)) where value.mapValue != nil || value.listValue != nil:
        return value
      default:
        throw LuaError.runtime(
          LuaReport(message: "migrate returns the new state as a table", place: function.place))
      }
    }
  }
}

/// The files that one load reads, collected as it goes: a library is known when it is required.
final class LoadedFiles {
  /// How many bytes all files of a module may have.
  ///
  /// The host keeps their contents, and the module's memory quota doesn't count them.
  static let bytesMax = 16 << 20

  private(set) var sources: [String: LoadedSource] = [:]
  private(set) var byteCount = 0
  /// Files that were looked for and didn't exist.
  private var missing: Set<String> = []

  func note(_ source: LoadedSource, for path: String) {
    byteCount += source.bytes.count
    sources[path] = source
  }
  func note(missing path: String) { missing.insert(path) }

  /// Whether the load used or looked for one of these files, or one below one of these folders.
  func useAny(of paths: Set<String>) -> Bool {
    paths.contains { path in
      sources[path] != nil || missing.contains(path)
        || sources.keys.contains { $0.hasPrefix(path + "/") }
        || missing.contains { $0.hasPrefix(path + "/") }
    }
  }

  /// Whether another load found the same files with the same contents.
  func isSame(as other: LoadedFiles) -> Bool {
    missing == other.missing
      && sources.mapValues(\.contentHash) == other.sources.mapValues(\.contentHash)
  }

  /// Whether a load at this moment would find something else.
  func haveChanged(_ contentHash: (String) -> UInt64?) -> Bool {
    sources.contains { contentHash($0.key) != $0.value.contentHash }
      || missing.contains { contentHash($0) != nil }
  }
}

/// A file as it was when a generation was loaded from it.
struct LoadedSource {
  let bytes: [UInt8]
  let contentHash: UInt64
}

extension Action {
  /// The seed of `moon.random` while this action is reduced; the same in every replay.
  var seed: UInt64 {
    // The finalizer of SplitMix64 (S. Vigna), so that neighbouring ids give unrelated numbers.
    var z = UInt64(bitPattern: meta.id) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Reads an action as a script writes it; nil if the value isn't one.
  ///
  /// The form is `"type"` or `{type = …, payload = …, meta = {…}}`. A type without a slash is the
  /// owner's.
  init?(script value: Value, owner: String, like other: Action? = nil) {
    let name: String
    var payload = Value.null
    var extra = other?.meta.extra ?? Map()
    switch value {
    case .string(let text): name = text.string
    case .map(let map):
      guard let type = map["type"]?.stringValue else { return nil }
      name = type
      payload = map["payload"] ?? .null
      for (key, value) in map["meta"]?.mapValue ?? Map() where !Self.ownMeta.contains(key) {
        extra[key] = value
      }
    default: return nil
    }
    let type = name.utf8.contains(UInt8(ascii: "/")) ? name : "\(owner)/\(name)"
    guard ActionPattern.isType(type) else { return nil }
    self.init(Text(type), payload, meta: other?.meta ?? Meta())
    meta.extra = extra
  }

  /// The keys of `meta` that only the host writes.
  private static let ownMeta: Set<Key> = ["id", "time", "cause", "parent"]
}

extension Text {
  /// The 64-bit FNV-1a hash, which is the same on every machine and in every run.
  fileprivate var stableHash: UInt64 {
    withUTF8 { bytes in
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }
}
