import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Checks `debug = true`, which ``ModuleReader/isLeftOut(_:)`` reads.
  static let debug = KeyReader("debug") { reader, form, module in
    if case .value(.bool) = form { return }
    reader.form.note(
      .wrongKind(key: "debug", expected: "true or false", found: form.kind), key: "debug")
  }
}

extension ModuleReader {
  /// Whether a module is for debugging, and this host isn't: it then registers nothing.
  func isLeftOut(_ fields: [String: Form]) -> Bool {
    guard case .value(.bool(true)) = fields["debug"] else { return false }
    return !isDebugging
  }
}

/// The entries of a key without those that are for debugging, unless the host is.
struct DebugFilter {
  /// The keys whose entries are registrations, which may be tables with `debug = true`.
  static let keys: Set<String> = [
    "after_reduce", "api", "commands", "connect", "effects", "extends", "handlers", "lifecycle",
    "middleware", "observe", "presenters", "routes", "routing_observers", "routing_options",
    "routing_presenters", "schedules", "unmatched", "views",
  ]

  let isDebugging: Bool

  /// Returns the value of a key; nil if it is one registration that is left out.
  func value(_ form: Form) -> Form? {
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
