import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `needs = { "storage", ["net:example.com"] = "to load the news",
  /// moon.optional("read:~/notes", "to show your notes") }`.
  static let needs = KeyReader("needs") { reader, form, module in
    guard let entries = form.needs else {
      reader.form.note(
        .wrongKind(key: "needs", expected: "a list of scopes", found: form.kind), key: "needs")
      return
    }
    for (key, value) in entries {
      guard let need = Need(key, value, &reader.form),
        let scope = need.scope(of: module.name, reader.grants, &reader.form)
      else { continue }
      if need.isOptional {
        if !module.requested.optional.contains(scope) { module.requested.optional.append(scope) }
      } else if !module.needs.contains(scope) {
        module.needs.append(scope)
      }
      module.requested.reasons[scope] = need.reason
    }
    module.requested.places = reader.grants.places(of: module.needs + module.requested.optional)
    reader.form.note(module.requested)
  }
}

/// One entry of `needs`.
private struct Need {
  /// The maximum number of characters of a reason, which is one line of a question.
  static let reasonLengthMax = 200

  let text: String
  var reason: String?
  var isOptional = false

  /// Reads an entry: a scope, a scope with its reason, or what `moon.optional` returns.
  init?(_ key: Value, _ value: Form, _ form: inout FormReader) {
    if case .string(let scope) = key {
      let path = "needs[\"\(scope)\"]"
      guard let reason = form.string(value, key: path) else { return nil }
      text = scope.string
      self.reason = Self.checked(reason, path, &form)
      return
    }
    let path = "needs[\(key.canonicalText)]"
    guard let fields = value.fields, value.elements == nil else {
      guard let scope = form.string(value, key: path) else { return nil }
      text = scope
      return
    }
    let parts = Dictionary(fields.map { ($0.name, $0.form) }) { first, _ in first }
    guard let scope = form.string(parts["optional"], key: path) else {
      if parts["optional"] == nil {
        form.note(
          .wrongKind(key: path, expected: "a scope, or moon.optional(scope)", found: "a table"),
          key: "needs")
      }
      return nil
    }
    text = scope
    isOptional = true
    reason = form.string(parts["reason"], key: "\(path).reason").flatMap {
      Self.checked($0, path, &form)
    }
  }

  private static func checked(
    _ reason: String, _ path: String, _ form: inout FormReader
  ) -> String? {
    guard reason.count > reasonLengthMax else { return reason }
    form.note(
      .wrongKind(
        key: path, expected: "a reason of at most \(reasonLengthMax) characters",
        found: "a longer one"), key: "needs")
    return nil
  }

  /// Returns the scope; nil, with a problem noted, if it is invalid.
  ///
  /// Also notes a problem if the module can't do without it and it isn't granted.
  func scope(
    of module: ModuleName, _ grants: Grants, _ form: inout FormReader
  ) -> Scope? {
    let place = form.place(quoting: text)
    do throws(ScopeError) {
      let scope = try Scope(parsing: text)
      let answer = grants.answer(to: scope, of: module)
      if !isOptional, answer != .granted {
        form.note(.notGranted(scope, answer, because: reason), at: place, key: "needs")
      }
      return scope
    } catch {
      form.note(.invalidScope(text: text, error), at: place, key: "needs")
      return nil
    }
  }
}

extension Form {
  /// The entries of a table with their keys, which are numbers or texts; nil if it is none.
  fileprivate var needs: [(key: Value, value: Form)]? {
    switch self {
    case .value(.list(let list)):
      list.enumerated().map { (.int(Int64($0.offset) + 1), .value($0.element)) }
    case .value(.map(let map)):
      map.map { entry in
        switch entry.key {
        case .string(let name): (.string(name), .value(entry.value))
        case .int(let number): (.int(number), .value(entry.value))
        }
      }
    case .table(let entries):
      entries.map { entry in
        if case .value(let key) = entry.key { (key, entry.value) } else { (.null, entry.value) }
      }
    default: nil
    }
  }
}
