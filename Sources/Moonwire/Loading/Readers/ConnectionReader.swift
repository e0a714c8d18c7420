import MoonLua
import MoonSession
import MoonStore
import MoonValues

extension KeyReader {
  /// Reads `connect = { from = { "cart", name = "account.name" }, on = "checkout", props = f,
  /// actions = g }`, or a list of these.
  static let connect = KeyReader("connect") { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "connect") {
      if let connection = reader.connection(form, key: key) {
        module.presenters.append(Presenter(connection))
      }
    }
  }
}

extension ModuleReader {
  fileprivate mutating func connection(_ table: Form, key: String) -> Connection? {
    let fields = form.fields(of: table, key: key, known: ["actions", "from", "on", "props"])
    guard table.fields != nil else { return nil }
    let selection = form.connected(fields["from"], key: key + ".from")
    let isLimited = fields["on"] != nil
    let screens = ScreenPattern(reading: fields["on"], key: key, of: generation.name, &form)
    let props = form.function(fields["props"], key: key + ".props")
    let actions = form.actions(fields["actions"], key: key + ".actions")
    guard fields["props"] != nil || fields["actions"] != nil else {
      form.note(.wrongKind(key: key, expected: "props or actions", found: "neither"), key: key)
      return nil
    }
    guard let selection, !isLimited || screens != nil else { return nil }
    let place = props?.place ?? SourcePlace(file: form.file, line: form.line(of: key))
    return Connection(
      of: screens ?? .module(Text(generation.name.text)), from: selection, place: place,
      props: props.map { generation.connecting($0) },
      actions: actions.map { actions in
        switch actions {
        case .function(let function): generation.connecting(function)
        case .table(let table): { _, _ in table }
        }
      })
  }
}

/// The actions of a connection: a function, or always the same.
private enum ConnectedActions {
  case function(LuaFunction)
  case table(Value)
}

extension FormReader {
  fileprivate mutating func actions(_ form: Form?, key: String) -> ConnectedActions? {
    switch form {
    case nil: return nil
    case .function(let function): return .function(function)
    case .value(.map(let map)): return .table(.map(map))
    case let form?:
      note(
        .wrongKind(key: key, expected: "a function or a table of actions", found: form.kind),
        key: key)
      return nil
    }
  }

  /// Reads the modules, or paths into their slices, each under a name or under that of the module.
  fileprivate mutating func connected(_ form: Form?, key: String) -> StateSelection? {
    let entries = form?.components ?? []
    guard !entries.isEmpty else {
      note(
        .wrongKind(
          key: key, expected: "a list of modules", found: form?.kind ?? "nothing"), key: key)
      return nil
    }
    guard entries.count <= Self.observedPathsMax else {
      note(.tooMany(key: key, count: entries.count, max: Self.observedPathsMax), key: key)
      return nil
    }
    let parts = entries.compactMap { part($0, $1, key: key) }
    return parts.count == entries.count ? StateSelection(parts) : nil
  }

  private mutating func part(
    _ name: Key, _ form: Form, key: String
  ) -> StateSelection.Part? {
    let entryKey = if case .int(let index) = name { "\(key)[\(index)]" } else { "\(key).\(name)" }
    guard let text = string(form, key: entryKey) else { return nil }
    guard let path = try? Path(parsing: text), case .key(let module)? = path.components.first else {
      note(.invalidPath(key: entryKey, text: text), at: place(quoting: text))
      return nil
    }
    guard case .int = name else { return StateSelection.Part(name, path) }
    guard path.components.count == 1 else {
      note(
        .wrongKind(
          key: entryKey, expected: "a module, or under a name, such as total = \"\(text)\"",
          found: "a path"), at: place(quoting: text))
      return nil
    }
    return StateSelection.Part(.string(module), path)
  }
}

extension Generation {
  /// Returns the call of a function of a connection, which depends on nothing but its arguments.
  fileprivate func connecting(_ function: LuaFunction) -> Connection.Body {
    let limits = limits(.routing, "a connection")
    return { [self] selected, screen in
      let arguments: [Argument] = [
        .view(selected, name: "from"), function.takes(2) ? .value(screen.value) : .none,
      ]
      return (try call(function, arguments, limits).first ?? nil) ?? .null
    }
  }
}
