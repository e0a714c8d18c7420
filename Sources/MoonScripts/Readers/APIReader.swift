import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `api = { load = { request = function(payload, self) … end, loading = "loading",
  /// success = "loaded", failure = "failed" } }`.
  static let api = KeyReader("api") { reader, form, module in
    for (name, form) in reader.form.entries(form, key: "api", of: "a table of requests") {
      guard let parts = RequestParts(form, key: "api[\"\(name)\"]", &reader.form),
        let pattern = reader.pattern(name, key: "api", place: parts.request.place)
      else { continue }
      module.effects.append(reader.generation.effect(pattern, parts))
    }
  }
}

/// The parts of a request in Lua.
private struct RequestParts {
  /// The parts that are actions or functions, in the order in which `api.lua` gets them.
  private static let stages = ["loading", "success", "failure"]
  /// The parts that are functions, after those.
  private static let mappings = ["map_success", "map_failure"]

  let rules: EffectRules
  let request: LuaFunction
  /// What `api.lua` gets after the action.
  let arguments: [Argument]

  /// Reads a table with a function under `request`; nil if there is none.
  init?(_ form: Form, key: String, _ reader: inout FormReader) {
    let fields = reader.fields(
      of: form, key: key,
      known: EffectRules.keys + Self.stages + Self.mappings + ["request"])
    rules = EffectRules(fields, key: key, &reader)
    var arguments: [Argument] = [.value(true)]
    for name in Self.stages {
      arguments.append(reader.stage(fields[name], key: "\(key).\(name)"))
    }
    for name in Self.mappings {
      let function = reader.function(fields[name], key: "\(key).\(name)")
      arguments.append(function.map { .function($0) } ?? .none)
    }
    self.arguments = arguments
    guard let request = reader.required(fields["request"], key: "\(key).request", form) else {
      return nil
    }
    self.request = request
  }
}

extension FormReader {
  /// What a stage takes, in words.
  private static let stage = "an action, a list of actions or a function"

  /// Reads the type of an action, an action, a list of actions, or a function that makes them.
  fileprivate mutating func stage(_ form: Form?, key: String) -> Argument {
    guard let form else { return .none }
    if let function = form.functionValue { return .function(function) }
    guard let value = form.storable else {
      note(.wrongKind(key: key, expected: Self.stage, found: form.kind), key: key)
      return .none
    }
    for action in value.listValue.map(Array.init) ?? [value] {
      if Action(script: action, owner: module.text) != nil { continue }
      if let text = action.stringValue {
        note(.invalidPattern(key: key, text: text), key: key)
      } else {
        note(.wrongKind(key: key, expected: Self.stage, found: action.kind), key: key)
      }
    }
    return .value(value)
  }
}

extension Generation {
  fileprivate func effect(_ pattern: ActionPattern, _ parts: RequestParts) -> Effect {
    Effect(
      pattern, kind: .apiRequest, policy: parts.rules.policy, pace: parts.rules.pace,
      place: parts.request.place
    ) { [self] action, _ in
      LuaRun(parts.request, on: action, with: parts.arguments, of: self)
    }
  }
}
