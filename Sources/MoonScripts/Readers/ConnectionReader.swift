import MoonLua
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `connect = { from = { "cart", name = "account.name" }, on = "checkout", props = f,
  /// actions = g }`, or a list of these.
  static let connect = KeyReader("connect") { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "connect") {
      let connection = Connection(
        reading: form, key: key, of: reader.generation, &reader.form)
      if let connection { module.presenters.append(Presenter(connection)) }
    }
  }
}

extension Connection {
  fileprivate init?(
    reading table: Form, key: String, of generation: Generation, _ form: inout FormReader
  ) {
    let fields = form.fields(of: table, key: key, known: ["actions", "from", "on", "props"])
    guard table.fields != nil else { return nil }
    let selection = StateSelection(connecting: fields["from"], key: key + ".from", &form)
    let isLimited = fields["on"] != nil
    let screens = ScreenPattern(reading: fields["on"], key: key, of: generation.name, &form)
    let props = form.function(fields["props"], key: key + ".props")
    let actions = ConnectedActions(reading: fields["actions"], key: key + ".actions", &form)
    guard fields["props"] != nil || fields["actions"] != nil else {
      form.note(.wrongKind(key: key, expected: "props or actions", found: "neither"), key: key)
      return nil
    }
    guard let selection, !isLimited || screens != nil else { return nil }
    self.init(
      of: screens ?? .module(Text(generation.name.text)), from: selection,
      place: props?.place ?? SourcePlace(file: form.file, line: form.line(of: key)),
      props: props.map { Self.calling($0, of: generation) },
      actions: actions.map { actions in
        switch actions {
        case .function(let function): Self.calling(function, of: generation)
        case .table(let table): { _, _, _ in table }
        }
      })
  }

  /// Returns the call of a function of a connection, which depends on nothing but its arguments.
  private static func calling(_ function: LuaFunction, of generation: Generation) -> Body {
    let limits = generation.limits(.routing, "a connection")
    return { selected, screen, context in
      let arguments: [Argument] = [
        .view(selected, name: "from"), function.takes(2) ? .value(screen.value) : .none,
      ]
      let answers = try generation.call(function, arguments, limits.repeatable(in: context))
      return (answers.first ?? nil) ?? .null
    }
  }
}

/// The actions of a connection: a function, or always the same.
private enum ConnectedActions {
  case function(LuaFunction)
  case table(Value)

  /// Reads the actions; nil if there are none.
  init?(reading value: Form?, key: String, _ form: inout FormReader) {
    switch value {
    case nil: return nil
    case .function(let function): self = .function(function)
    case .value(.map(let map)): self = .table(.map(map))
    case let value?:
      form.note(
        .wrongKind(key: key, expected: "a function or a table of actions", found: value.kind),
        key: key)
      return nil
    }
  }
}

extension StateSelection {
  /// Reads modules, or paths into their slices, each under a name or under that of the module.
  fileprivate init?(connecting value: Form?, key: String, _ form: inout FormReader) {
    let entries = value?.components ?? []
    guard !entries.isEmpty else {
      form.note(
        .wrongKind(key: key, expected: "a list of modules", found: value?.kind ?? "nothing"),
        key: key)
      return nil
    }
    let countMax = FormReader.observedPathsMax
    guard entries.count <= countMax else {
      form.note(.tooMany(key: key, count: entries.count, max: countMax), key: key)
      return nil
    }
    let parts = entries.compactMap { Part(connecting: $1, as: $0, key: key, &form) }
    guard parts.count == entries.count else { return nil }
    self.init(parts)
  }
}

extension StateSelection.Part {
  fileprivate init?(
    connecting value: Form, as name: Key, key: String, _ form: inout FormReader
  ) {
    let key = if case .int(let index) = name { "\(key)[\(index)]" } else { "\(key).\(name)" }
    guard let text = form.string(value, key: key) else { return nil }
    guard let path = try? Path(parsing: text), case .key(let module)? = path.components.first else {
      form.note(.invalidPath(key: key, text: text), at: form.place(quoting: text))
      return nil
    }
    guard case .int = name else {
      self.init(name, path)
      return
    }
    guard path.components.count == 1 else {
      form.note(
        .wrongKind(
          key: key, expected: "a module, or under a name, such as total = \"\(text)\"",
          found: "a path"), at: form.place(quoting: text))
      return nil
    }
    self.init(.string(module), path)
  }
}
