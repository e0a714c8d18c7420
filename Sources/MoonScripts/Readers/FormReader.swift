import MoonActions
import MoonLua
import MoonServiceKit
import MoonValues

/// A reader of the parts of a module's table, which collects their problems.
struct FormReader {
  /// The maximum number of problems reported for a file, more than anyone reads.
  static let problemsMax = 100
  /// The maximum number of bytes of a key that are searched for in the file.
  ///
  /// A script can make a key of any length.
  static let keyBytesMax = 1024

  let module: ModuleName
  let file: String
  private let index: SourceIndex
  private(set) var problems: [ModuleProblem] = []

  init(module: ModuleName, file: String, source: [UInt8]) {
    self.module = module
    self.file = file
    index = SourceIndex(source)
  }

  /// Whether there is a problem with the module's `needs`.
  var lacksGrants: Bool {
    problems.contains {
      switch $0.reason {
      case .notGranted, .invalidScope: true
      default: false
      }
    }
  }

  /// Whether the maximum number of problems is reached.
  var isFull: Bool { problems.count >= Self.problemsMax }

  mutating func note(
    _ reason: ModuleProblem.Reason, at place: SourcePlace? = nil, key: String? = nil
  ) {
    guard !isFull else { return }
    let found = place ?? SourcePlace(file: file, line: key.map(line(of:)) ?? 0)
    problems.append(ModuleProblem(module: module, place: found, reason: reason))
  }

  /// Adds all that the module requests to the problem of what it isn't granted, if there is one.
  mutating func note(_ requested: RequestedScopes) {
    let index = problems.firstIndex { if case .notGranted = $0.reason { true } else { false } }
    if let index { problems[index].requested = requested }
  }

  /// Reads the fields of a table whose keys must be among `known`.
  ///
  /// `renamed` maps earlier names of keys to their current ones.
  mutating func fields(
    of form: Form, key: String, known: [String], renamed: [String: String] = [:]
  ) -> [String: Form] {
    guard let fields = form.fields else {
      note(.wrongKind(key: key, expected: "a table", found: form.kind), key: key)
      return [:]
    }
    var result: [String: Form] = [:]
    for (name, value) in fields {
      if known.contains(name) {
        result[name] = value
      } else if !isFull {
        let path = key.isEmpty ? name : "\(key).\(name)"
        if let current = renamed[name] {
          note(.renamedKey(path, to: current), key: path)
        } else {
          note(.unknownKey(path, nearest: Spelling.nearest(to: name, in: known)), key: path)
        }
      }
    }
    // One problem, however many entries a list has.
    if let step = form.unnamedSteps.first { note(.unknownKey(key + step, nearest: nil), key: key) }
    return result
  }

  /// Reads a value; nil if there is none, or one that `take` doesn't, which is a problem.
  private mutating func read<Read>(
    _ form: Form?, key: String, _ expected: String, _ take: (Form) -> Read?
  ) -> Read? {
    guard let form else { return nil }
    if let read = take(form) { return read }
    note(.wrongKind(key: key, expected: expected, found: form.kind), key: key)
    return nil
  }

  mutating func string(_ form: Form?, key: String) -> String? {
    read(form, key: key, "a string") { $0.storable?.stringValue }
  }

  mutating func integer(_ form: Form?, key: String) -> Int64? {
    read(form, key: key, "an integer") { $0.storable?.intValue }
  }

  /// Reads a time in seconds: more than zero, or at least `least`.
  mutating func duration(_ form: Form?, key: String, atLeast least: Double? = nil) -> Duration? {
    let seconds = read(form, key: key, "a number of seconds") {
      $0.storable.flatMap { $0.intValue.map(Double.init) ?? $0.doubleValue }
    }
    guard let seconds else { return nil }
    guard least.map({ seconds >= $0 }) ?? (seconds > 0), seconds <= HostCall.secondsMax else {
      let lower = least.map { "at least \($0)" } ?? "more than 0"
      note(
        .wrongKind(
          key: key, expected: "\(lower) seconds and at most 1000000000", found: "\(seconds)"),
        key: key)
      return nil
    }
    return .seconds(seconds)
  }

  mutating func boolean(_ form: Form?, key: String) -> Bool? {
    read(form, key: key, "true or false") { $0.storable?.boolValue }
  }

  mutating func function(_ form: Form?, key: String) -> LuaFunction? {
    read(form, key: key, "a function", \.functionValue)
  }

  /// Returns a required function in a table of fields.
  mutating func required(_ value: Form?, key: String, _ table: Form) -> LuaFunction? {
    if value == nil, table.fields != nil {
      note(.wrongKind(key: key, expected: "a function", found: "nothing"), key: key)
    }
    return function(value, key: key)
  }

  /// Returns the entries of a table under names, in the order of keys.
  mutating func entries(
    _ form: Form, key: String, of what: String
  ) -> [(name: String, form: Form)] {
    guard let fields = form.fields else {
      note(.wrongKind(key: key, expected: what, found: form.kind), key: key)
      return []
    }
    noteUnnamed(in: form, key: key, what: "entry")
    return fields
  }

  /// Reads a table of functions by name, in the order of keys.
  mutating func functions(_ form: Form?, key: String) -> [(name: String, function: LuaFunction)] {
    guard let form else { return [] }
    guard let fields = form.fields else {
      note(.wrongKind(key: key, expected: "a table of functions", found: form.kind), key: key)
      return []
    }
    var result: [(name: String, function: LuaFunction)] = []
    for (name, value) in fields {
      if let function = function(value, key: "\(key)[\"\(name)\"]") {
        result.append((name, function))
      }
    }
    noteUnnamed(in: form, key: key, what: "function")
    return result
  }

  /// Notes a problem for each entry that needs a name and has none.
  mutating func noteUnnamed(in form: Form, key: String, what: String) {
    let steps = form.unnamedSteps
    guard let first = steps.first else { return }
    let isOne = steps.count == 1
    note(
      .wrongKind(
        key: key + first, expected: isOne ? "a name for each \(what)" : "under one",
        found: isOne ? "none" : "one of \(steps.count) without a name"), key: key)
  }

  /// Reads a value that the state can hold.
  mutating func value(_ form: Form?, key: String) -> Value? {
    guard let form else { return nil }
    if let value = form.storable { return value }
    let (path, what) = form.unstorablePart ?? ("", form.kind)
    note(.unstorable(path: key + path, what: what), key: key + path)
    return nil
  }

  /// Returns the line, from 1, that assigns the last part of a key such as `actions.add.by`.
  ///
  /// If that part isn't in the file, the result is the line of the part before it, and so on; 0 if
  /// there is none. The text is searched rather than parsed, so the line can be wrong if a name is
  /// used in several ways.
  func line(of key: String) -> Int {
    var found: Int?
    for name in key.utf8.prefix(Self.keyBytesMax).split(whereSeparator: {
      ".[]\"".utf8.contains($0)
    }) where Int(Substring(name)) == nil {
      guard let line = index.line(assigning: name, from: found ?? 0) else { break }
      found = line
    }
    return found.map { $0 + 1 } ?? 0
  }

  /// Returns the place of the line that assigns the last part of a key; nil if there is none.
  func place(of key: String) -> SourcePlace? {
    let line = line(of: key)
    return line > 0 ? SourcePlace(file: file, line: line) : nil
  }

  /// Returns the place of an entry of a table, such as that of a pattern in `routes`.
  ///
  /// If the file doesn't assign the entry, it is the first place that quotes its name; nil if there
  /// is none. Of several, it is the first after a text in quotes, if there is one.
  func place(
    of name: String, in table: String, after text: String? = nil
  ) -> SourcePlace? {
    let start = index.line(assigning: table.utf8, from: 0) ?? 0
    let mark = text.flatMap { index.line(quoting: $0.utf8, from: start) }
    return
      (mark.flatMap { index.line(assigning: name.utf8, from: $0) }
      ?? index.line(assigning: name.utf8, from: start))
      .map { SourcePlace(file: file, line: $0 + 1) } ?? place(quoting: name)
  }

  /// Returns the place of a string in the file; nil if there is none.
  func place(quoting text: String) -> SourcePlace? {
    index.line(quoting: text.utf8).map { SourcePlace(file: file, line: $0 + 1) }
  }
}

extension Form {
  var functionValue: LuaFunction? {
    if case .function(let function) = self { function } else { nil }
  }

  /// The entries under string and integer keys.
  var components: [(key: Key, form: Form)] {
    switch self {
    case .table(let entries):
      entries.compactMap { entry in
        switch entry.key {
        case .value(.int(let integer)): (.int(integer), entry.value)
        case .value(.string(let name)): (.string(name), entry.value)
        default: nil
        }
      }
    case .value(.map(let map)): map.map { ($0.key, .value($0.value)) }
    case .value(.list(let list)): list.enumerated().map { (.int(Int64($0 + 1)), .value($1)) }
    default: []
    }
  }

  /// The steps, such as `[1]`, of entries whose keys aren't strings.
  var unnamedSteps: [String] {
    switch self {
    case .table(let entries):
      entries.compactMap { entry in
        switch entry.key {
        case .value(.string): nil
        case .value(let key): "[\(key.canonicalText)]"
        default: "[\(entry.key.kind)]"
        }
      }
    case .value(.list(let list)): (0..<list.count).map { "[\($0 + 1)]" }
    default: []
    }
  }

  /// The value, if the state can hold every part of it.
  var storable: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The path to the first part that the state can't hold, and the kind of that part.
  var unstorablePart: (path: String, what: String)? {
    switch self {
    case .value: return nil
    case .function: return ("", "a function")
    case .opaque(let text): return ("", text)
    case .table(let entries):
      for entry in entries {
        let step: String
        switch entry.key {
        case .value(.int(let integer)): step = "[\(integer)]"
        case .value(.string(let name)):
          step = "\(Path([.key(Text("x")), .key(name)]).description.dropFirst())"
        default: return ("", "a key that is \(entry.key.kind)")
        }
        if let part = entry.value.unstorablePart { return (step + part.path, part.what) }
      }
      return ("", "a table with both integer and string keys")
    }
  }
}
