import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Checks `debug = true`, which ``DebugFilter`` reads.
  static let debug = KeyReader("debug") { reader, form, module in
    if case .value(.bool) = form { return }
    reader.form.note(
      .wrongKind(key: "debug", expected: "true or false", found: form.kind), key: "debug")
  }
}

/// The keys of a module's table without what is for debugging, unless the host is.
struct DebugFilter {
  /// The keys whose entries are registrations, which may be tables with `debug = true`.
  static let keys: Set<String> = [
    "after_reduce", "api", "commands", "connect", "effects", "extends", "handlers", "lifecycle",
    "middleware", "observe", "presenters", "routes", "routing_observers", "routing_options",
    "routing_presenters", "schedules", "unmatched", "views",
  ]

  let isDebugging: Bool

  /// Returns the keys with what is left; of a module for debugging, only its description.
  func fields(_ fields: [String: Form]) -> [String: Form] {
    if case .value(.bool(true)) = fields["debug"], !isDebugging {
      return fields.filter { $0.key == "description" }
    }
    var kept = fields
    for key in Self.keys { kept[key] = fields[key].flatMap(value) }
    return kept
  }

  /// Returns the value of a key; nil if it is one registration that is left out.
  private func value(_ form: Form) -> Form? {
    guard let one = entry(form) else { return nil }
    switch one {
    case .table(let entries):
      let kept = entries.compactMap { entry in
        self.entry(entry.value).map { Form.Entry(key: entry.key, value: $0) }
      }
      // The numbers of a list follow one another.
      guard one.elements != nil else { return .table(kept) }
      return .table(
        kept.enumerated().map {
          Form.Entry(key: .value(.int(Int64($0.offset + 1))), value: $0.element.value)
        })
    case .value(.map(var map)):
      for (key, value) in map where entry(.value(value)) == nil { map[key] = nil }
      for (key, value) in map {
        if case .value(let plain)? = entry(.value(value)), plain != value { map[key] = plain }
      }
      return .value(.map(map))
    case .value, .function, .opaque: return one
    }
  }

  /// Returns a registration without its mark; nil if it is left out.
  private func entry(_ form: Form) -> Form? {
    guard
      case .value(.bool(let isMarked))? = form.fields?.first(where: { $0.name == "debug" })?.form
    else { return form }
    if isMarked, !isDebugging { return nil }
    switch form {
    case .table(let entries):
      return .table(
        entries.filter {
          if case .value(.string("debug")) = $0.key { false } else { true }
        })
    case .value(.map(var map)):
      map["debug"] = nil
      return .value(.map(map))
    case .value, .function, .opaque: return form
    }
  }
}
