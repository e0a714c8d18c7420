import Moonwire

/// A test of an app's modules: actions, and how each changes the state.
struct ModuleTest: Sendable {
  /// Actions that are carried out as one, and their expected effect.
  struct Step: Sendable {
    let actions: [Action]
    let isMapped: Bool
    /// The notes made when they were recorded.
    let notes: CommitNotes
    /// The values after the step, by the paths of everything that it changes; nil for a removed
    /// value.
    let changes: [String: Value?]
    /// A part of the expected error; nil if none is expected.
    let error: String?
  }

  /// The name.
  let description: String
  /// The slices to begin with, instead of the modules' own.
  let state: Map
  let steps: [Step]
}

/// The reason that a value isn't a test.
struct ModuleTestError: Error, Sendable {
  let description: String

  init(_ description: String) { self.description = description }
}

extension ModuleTest {
  /// What a file of tests returns.
  static let advice =
    "return test functions by name, such as { [\"adds one\"] = function(t) … end }, "
    + "or a table with a list 'steps'"

  /// Reads what a test file returns: a test, or a list of tests.
  ///
  /// - Throws: ``ModuleTestError``
  static func all(in value: Value, named name: String) throws(ModuleTestError) -> [ModuleTest] {
    if let list = value.listValue, !list.isEmpty {
      var tests: [ModuleTest] = []
      for (index, value) in list.enumerated() {
        tests.append(try ModuleTest(value, named: "\(name), test \(index + 1)"))
      }
      return tests
    }
    return [try ModuleTest(value, named: name)]
  }

  private init(_ value: Value, named name: String) throws(ModuleTestError) {
    guard let map = value.mapValue, let steps = map["steps"]?.elements else {
      throw ModuleTestError("\(name): \(Self.advice), or a list of such tables")
    }
    try Self.check(map, for: ["description", "state", "steps"], name)
    // A test that can't fail tells nobody that it was left unfinished.
    guard !steps.isEmpty else { throw ModuleTestError("\(name): 'steps' is empty") }
    if let state = map["state"], state.mapValue == nil, state.elements?.isEmpty != true {
      throw ModuleTestError("\(name): 'state' is a table of slices by the names of their modules")
    }
    description = map["description"]?.stringValue ?? name
    state = map["state"]?.mapValue ?? Map()
    var read: [Step] = []
    for (index, step) in steps.enumerated() {
      read.append(try Step(step, after: read.last?.actions.last, "\(name), step \(index + 1)"))
    }
    self.steps = read
  }

  /// Checks that a table has no other keys.
  fileprivate static func check(
    _ map: Map, for known: [String], _ name: String
  ) throws(ModuleTestError) {
    for key in map.keys where !known.contains(key.description) {
      let nearest = Spelling.nearest(to: key.description, in: known)
      throw ModuleTestError(
        "\(name): there is no key '\(key)'"
          + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
  }
}

extension ModuleTest.Step {
  private static let actionKeys = [
    "type", "payload", "id", "time", "cause", "parent", "extra", "guards",
  ]

  fileprivate init(
    _ value: Value, after former: Action?, _ name: String
  ) throws(ModuleTestError) {
    guard let map = value.mapValue else {
      throw ModuleTestError("\(name): write a table such as { type = \"cart/add\", changes = {} }")
    }
    let keys = [
      "actions", "given", "inputs", "later", "limits", "made", "mapped", "changes", "removed",
      "error",
    ]
    try ModuleTest.check(map, for: Self.actionKeys + keys, name)
    var actions: [Action] = []
    for part in map["actions"]?.elements ?? [value] {
      actions.append(try Self.action(part, after: actions.last ?? former, name))
    }
    guard !actions.isEmpty else { throw ModuleTestError("\(name): 'actions' is empty") }
    var changes: [String: Value?] = [:]
    for (path, value) in map["changes"]?.mapValue ?? Map() { changes["\(path)"] = value }
    for path in map["removed"]?.elements ?? [] {
      guard let path = path.stringValue else {
        throw ModuleTestError("\(name): 'removed' is a list of paths such as \"cart.items[2]\"")
      }
      changes[path] = .some(nil)
    }
    self.actions = actions
    self.changes = changes
    isMapped = map["mapped"] == true
    guard let notes = CommitNotes(reading: value) else {
      throw ModuleTestError("\(name): 'made' is a list of ids, and 'inputs' a list of tables")
    }
    self.notes = notes
    error = map["error"]?.stringValue
  }

  /// Reads an action; the host's notes continue from the action before.
  private static func action(
    _ value: Value, after former: Action?, _ name: String
  ) throws(ModuleTestError) -> Action {
    guard var map = value.mapValue, map["type"]?.stringValue != nil else {
      throw ModuleTestError("\(name): 'type' is missing, such as \"cart/add\"")
    }
    let last = min(max(former?.meta.id ?? 0, 0), JournalRecord.numbers.upperBound - 1)
    map["id"] = map["id"] ?? .int(last + 1)
    map["cause"] = map["cause"] ?? "native"
    map["time"] =
      switch map["time"] {
      case .int(let seconds)?: .double(Double(seconds))
      case let time?: time
      case nil: .double(former?.meta.time ?? 0)
      }
    guard let action = Action(journalValue: .map(map)) else {
      throw ModuleTestError("\(name): 'id', 'time' or 'cause' isn't as in a recording")
    }
    return action
  }
}

extension Value {
  /// The elements of a list; none for an empty table, which Lua can't tell from an empty list.
  fileprivate var elements: [Value]? {
    if let list = listValue { return Array(list) }
    return mapValue.flatMap { $0.isEmpty ? [] : nil }
  }
}
