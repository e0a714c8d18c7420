import MoonLua
import MoonModules
import MoonValues

/// The rules of a durable effect in Lua.
struct DurabilityPart {
  var retry = Durability.Retry.again
  /// What happens when the code has changed: a function that makes the new payload, or nil.
  var migration: LuaFunction?
  var restarts = false

  /// Returns the rules, with the function as one of a generation.
  func rules(of generation: Generation) -> Durability {
    guard let migration else {
      return Durability(retry: retry, newCode: restarts ? .restart : .finish)
    }
    return Durability(
      retry: retry,
      newCode: .migrate { payload, progress in
        try generation.call(
          migration, [.value(payload), .value(progress)],
          generation.limits(.effect, "on_new_code")
        ).first.flatMap { $0 } ?? .null
      })
  }
}

extension FormReader {
  /// Reads `durable = true, retry = "never", on_new_code = "restart"` of an effect; nil if it isn't
  /// durable.
  mutating func durability(_ fields: [String: Form], key: String) -> DurabilityPart? {
    let isDurable = boolean(fields["durable"], key: "\(key).durable") ?? false
    for name in ["retry", "on_new_code"] where fields[name] != nil && !isDurable {
      note(
        .wrongKind(key: "\(key).\(name)", expected: "durable = true beside it", found: "none"),
        key: "\(key).\(name)")
    }
    guard isDurable else { return nil }
    var part = DurabilityPart()
    if let text = string(fields["retry"], key: "\(key).retry") {
      part.retry = Durability.Retry(rawValue: text) ?? part.retry
      if Durability.Retry(rawValue: text) == nil {
        note(
          .wrongKind(
            key: "\(key).retry", expected: "\"again\" or \"never\"", found: "\"\(text)\""),
          key: "\(key).retry")
      }
    }
    readNewCode(fields["on_new_code"], key: "\(key).on_new_code", &part)
    return part
  }

  private mutating func readNewCode(_ form: Form?, key: String, _ part: inout DurabilityPart) {
    switch form {
    case nil, .value("finish")?: break
    case .value("restart")?: part.restarts = true
    case .function(let function)?: part.migration = function
    case let form?:
      note(
        .wrongKind(
          key: key, expected: "\"finish\", \"restart\" or a function", found: form.kind),
        key: key)
    }
  }
}
