import MoonLua
import MoonStore
import MoonValues

/// Makes a ``Module`` from the table that a file returned.
struct ModuleReader {
  /// The keys that a module's table may have.
  static let keys = [
    "actions", "description", "handlers", "lifecycle", "map_modules", "map_navigation",
    "middleware", "migrate", "observe", "on_start", "on_stop", "presenters", "reducers", "routes",
    "routing_observers", "routing_options", "routing_presenters", "state", "unmatched", "version",
    "views",
  ]

  /// The keys of earlier versions, and what they are called now.
  static let renamedKeys = [
    "observers": "routing_observers", "options": "routing_options", "start": "on_start",
    "stop": "on_stop",
  ]

  var reader: FormReader
  var patternCount = PatternCount()
  let generation: Generation

  init(generation: Generation, source: [UInt8]) {
    reader = FormReader(module: generation.name, file: generation.file, source: source)
    self.generation = generation
  }

  /// Reads the table.
  ///
  /// - Throws: ``LoadFailure`` with all problems of the table.
  mutating func module(_ form: Form?) throws(LoadFailure) -> Module {
    var module = Module(name: generation.name)
    if let form, form.fields != nil {
      read(form, into: &module)
    } else {
      let isList = if case .value(.list) = form { true } else { false }
      reader.note(.returned(isList ? "a list" : form?.kind ?? "nothing"))
    }
    guard reader.problems.isEmpty else { throw LoadFailure(problems: reader.problems) }
    return module
  }

  private mutating func read(_ form: Form, into module: inout Module) {
    let fields = reader.fields(of: form, key: "", known: Self.keys, renamed: Self.renamedKeys)
    module.description = reader.string(fields["description"], key: "description")
    module.version = reader.integer(fields["version"], key: "version") ?? 1
    if let value = reader.value(fields["state"], key: "state") {
      switch value {
      case .map, .list: module.state = value
      default:
        reader.note(
          .wrongKind(key: "state", expected: "a table", found: Form.value(value).kind), key: "state"
        )
      }
    }
    module.actions = declarations(fields["actions"])
    for (name, function) in reader.functions(fields["reducers"], key: "reducers") {
      guard let pattern = pattern(name, key: "reducers", place: function.place) else { continue }
      module.reducers.append(generation.reducer(pattern, function))
    }
    module.middleware = middleware(fields["middleware"])
    for (name, function) in reader.functions(fields["observe"], key: "observe") {
      do {
        module.observers.append(generation.observer(try Path(parsing: name), function))
      } catch {
        reader.note(.invalidPath(key: "observe", text: name), at: function.place)
      }
    }
    readRouting(fields, into: &module)
    module.start = reader.function(fields["on_start"], key: "on_start").map(generation.hook)
    module.stop = reader.function(fields["on_stop"], key: "on_stop").map(generation.hook)
    module.migrate = reader.function(fields["migrate"], key: "migrate").map(generation.migration)
  }

  mutating func pattern(
    _ text: String, key: String, place: SourcePlace?
  ) -> ActionPattern? {
    if let pattern = ActionPattern(text, owner: generation.name.text) { return pattern }
    reader.note(.invalidPattern(key: key, text: text), at: place, key: key)
    return nil
  }

  /// Reads `actions = { add = { "Adds to the count", by = "integer?" } }`.
  private mutating func declarations(_ form: Form?) -> [ActionDeclaration] {
    guard let form else { return [] }
    reader.noteUnnamed(in: form, key: "actions", what: "action")
    guard let entries = form.fields else {
      if form.elements == nil {
        reader.note(
          .wrongKind(key: "actions", expected: "a table of actions", found: form.kind),
          key: "actions")
      }
      return []
    }
    return entries.compactMap { name, declaration in
      let own = ActionPattern.exact(Text("\(generation.name)/\(name)"))
      guard ActionPattern(name, owner: generation.name.text) == own else {
        reader.note(.invalidPattern(key: "actions", text: name), key: "actions[\"\(name)\"]")
        return nil
      }
      return self.declaration(name, declaration)
    }
  }

  private mutating func declaration(_ name: String, _ form: Form) -> ActionDeclaration? {
    let key = "actions.\(name)"
    if case .value(.string(let text)) = form {
      return ActionDeclaration(name, description: text.string)
    }
    guard form.fields != nil || form.elements != nil else {
      reader.note(
        .wrongKind(key: key, expected: "a table of fields or a sentence", found: form.kind),
        key: key)
      return nil
    }
    var description: String?
    var fields: [PayloadSchema.Field] = []
    for (component, value) in form.components {
      switch component {
      case .int(1): description = reader.string(value, key: "\(key)[1]")
      case .int(let index):
        reader.note(
          .wrongKind(key: "\(key)[\(index)]", expected: "a name for each field", found: "none"),
          key: key)
      case .string(let field):
        guard let text = reader.string(value, key: "\(key).\(field)") else { continue }
        if let field = PayloadSchema.Field(name: field.string, type: text) {
          fields.append(field)
        } else {
          let path = "\(key).\(field)"
          reader.note(.invalidFieldType(key: path, text: text), key: path)
        }
      }
    }
    return ActionDeclaration(
      name, description: description, schema: PayloadSchema(fields: fields))
  }

  /// Reads a function, `{ priority = "high", on = "todo/*", run = function }`, or a list of these.
  private mutating func middleware(_ form: Form?) -> [Middleware] {
    guard let form else { return [] }
    if let function = form.functionValue { return [generation.middleware(.all, .medium, function)] }
    if let elements = form.elements {
      return elements.enumerated().compactMap { one($1, key: "middleware[\($0 + 1)]") }
    }
    return one(form, key: "middleware").map { [$0] } ?? []
  }

  private mutating func one(_ form: Form, key: String) -> Middleware? {
    if let function = form.functionValue { return generation.middleware(.all, .medium, function) }
    let fields = reader.fields(of: form, key: key, known: ["on", "priority", "run"])
    guard let function = reader.function(fields["run"], key: "\(key).run") else {
      if fields["run"] == nil && form.fields != nil {
        reader.note(
          .wrongKind(key: "\(key).run", expected: "a function", found: "nothing"), key: "middleware"
        )
      }
      return nil
    }
    var priority = Middleware.Priority.medium
    if let text = reader.string(fields["priority"], key: "\(key).priority") {
      if let known = Middleware.Priority(rawValue: text) {
        priority = known
      } else {
        reader.note(
          .wrongKind(
            key: "\(key).priority", expected: "\"high\", \"medium\" or \"low\"",
            found: "\"\(text)\""),
          key: "\(key).priority")
      }
    }
    var pattern = ActionPattern.all
    if let text = reader.string(fields["on"], key: "\(key).on") {
      guard let known = self.pattern(text, key: "\(key).on", place: nil) else { return nil }
      pattern = known
    }
    return generation.middleware(pattern, priority, function)
  }
}

extension Form {
  /// The entries under string and integer keys.
  fileprivate var components: [(key: Key, form: Form)] {
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
}
