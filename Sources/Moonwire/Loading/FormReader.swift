import MoonLua
import MoonStore
import MoonValues

/// Reads the table that a module returned, and notes everything that is wrong with it.
struct FormReader {
  let module: ModuleName
  let file: String
  let source: [UInt8]
  private(set) var problems: [ModuleProblem] = []

  init(module: ModuleName, file: String, source: [UInt8]) {
    self.module = module
    self.file = file
    self.source = source
  }

  mutating func note(_ reason: ModuleProblem.Reason, at place: SourcePlace? = nil, key: String? = nil)
  {
    let found = place ?? SourcePlace(file: file, line: key.map(line(of:)) ?? 0)
    problems.append(ModuleProblem(module: module, place: found, reason: reason))
  }

  /// The fields of a table whose keys must be among `known`.
  mutating func fields(
    of form: Form, key: String, known: [String]
  ) -> [String: Form] {
    guard let fields = form.fields else {
      note(.wrongKind(key: key, expected: "a table", found: form.kind), key: key)
      return [:]
    }
    var result: [String: Form] = [:]
    for (name, value) in fields {
      if known.contains(name) {
        result[name] = value
      } else {
        let place = value.functionValue?.place
        note(
          .unknownKey(
            key.isEmpty ? name : "\(key).\(name)", nearest: Spelling.nearest(to: name, in: known)),
          at: place, key: name)
      }
    }
    return result
  }

  mutating func string(_ form: Form?, key: String) -> String? {
    switch form {
    case nil: return nil
    case .value(.string(let text)): return text.string
    case let form?:
      note(.wrongKind(key: key, expected: "a string", found: form.kind), key: key)
      return nil
    }
  }

  mutating func integer(_ form: Form?, key: String) -> Int64? {
    switch form {
    case nil: return nil
    case .value(.int(let integer)): return integer
    case let form?:
      note(.wrongKind(key: key, expected: "an integer", found: form.kind), key: key)
      return nil
    }
  }

  mutating func function(_ form: Form?, key: String) -> LuaFunction? {
    switch form {
    case nil: return nil
    case .function(let function): return function
    case let form?:
      note(.wrongKind(key: key, expected: "a function", found: form.kind), key: key)
      return nil
    }
  }

  /// A table of functions by name, in key order.
  mutating func functions(_ form: Form?, key: String) -> [(name: String, function: LuaFunction)] {
    guard let form else { return [] }
    guard let fields = form.fields else {
      note(.wrongKind(key: key, expected: "a table of functions", found: form.kind), key: key)
      return []
    }
    var result: [(name: String, function: LuaFunction)] = []
    for (name, value) in fields {
      if let function = function(value, key: "\(key)[\"\(name)\"]") { result.append((name, function)) }
    }
    if let elements = form.elements, !elements.isEmpty {
      note(
        .wrongKind(key: "\(key)[1]", expected: "a name for each function", found: "none"), key: key)
    }
    return result
  }

  /// A value that can be kept in the state.
  mutating func value(_ form: Form?, key: String) -> Value? {
    guard let form else { return nil }
    if let value = form.storable { return value }
    let (path, what) = form.unstorablePart ?? ("", form.kind)
    let place = Self.function(in: form)?.place
    note(.unstorable(path: key + path, what: what), at: place, key: key)
    return nil
  }

  /// Where `key =` or `["key"] =` first stands in the file; 0 if nowhere. O(length of the file).
  func line(of key: String) -> Int {
    let name = key.split(whereSeparator: { ".[]\"".contains($0) }).last.map(String.init) ?? key
    let text = String(decoding: source, as: UTF8.self)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let trimmed = line.drop { $0 == " " || $0 == "\t" || $0 == "{" || $0 == "," }
      for start in [name, "[\"\(name)\"]", "['\(name)']", "\"\(name)\"", "'\(name)'"]
      where trimmed.hasPrefix(start) {
        let rest = trimmed.dropFirst(start.count).drop { $0 == " " || $0 == "\t" }
        if rest.hasPrefix("=") && !rest.hasPrefix("==") { return index + 1 }
      }
    }
    return 0
  }

  private static func function(in form: Form) -> LuaFunction? {
    switch form {
    case .function(let function): function
    case .table(let entries): entries.lazy.compactMap { function(in: $0.value) }.first
    case .value, .opaque: nil
    }
  }
}

extension Form {
  var functionValue: LuaFunction? {
    if case .function(let function) = self { function } else { nil }
  }

  /// The value, if all of it can be kept.
  var storable: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The path to the first part that can't be kept in the state, and what it is.
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
