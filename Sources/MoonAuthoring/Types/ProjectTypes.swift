import Moonwire

/// The types of an app's own names: its actions, slices, settings, routes, screens and commands.
struct ProjectTypes {
  /// The maximum number of actions whose payloads are types of `self.dispatch`.
  ///
  /// lua-language-server compares each call with all of them.
  static let overloadCountMax = 500
  /// The line that ``overloads`` take the place of.
  static let overloadPlace = "---OVERLOADS"

  private let outline: AppOutline
  /// The actions by the module in their types.
  private let actions: [Substring?: [ActionInfo]]

  init(outline: AppOutline) {
    self.outline = outline
    actions = Dictionary(grouping: outline.actions) { $0.type.split(separator: "/").first }
  }

  /// Returns the annotations.
  var text: String {
    let aliases = [
      alias("moon.ActionType", outline.actions.map { ($0.type, $0.description) }),
      alias("moon.CommandName", outline.commands.map { ($0.type, $0.description) }),
      alias(
        "moon.RouteName",
        outline.routes.compactMap { route in
          route.name.map { ($0.string, route.pattern.string) }
        }),
      alias("moon.ScreenKind", outline.screens.map { ($0, nil) }),
      alias("moon.StatePath", outline.modules.flatMap(paths)),
    ]
    return
      (aliases + [ModuleKeyTypes.values, ModuleKeyTypes.text]
      + payloads(outline.actions.map { ($0.type, $0.schema) }, "Payload")
      + payloads(outline.commands.map { ($0.type, $0.schema) }, "Arguments")
      + outline.modules.map(text)).joined(separator: "\n") + "\n"
  }

  /// The lines of `self.dispatch` that say what payload an action has.
  var overloads: String {
    let own = outline.actions.filter { !($0.schema?.fields.isEmpty ?? true) }
    return own.prefix(Self.overloadCountMax).compactMap { action in
      guard let type = LuaType.quoted(action.type),
        let name = Self.className(action.type, "Payload")
      else { return nil }
      let isOptional = action.schema?.fields.allSatisfy(\.isOptional) ?? true
      return "---@overload fun(type: \(type), payload\(isOptional ? "?" : ""): \(name))"
    }.joined(separator: "\n")
  }

  private func alias(_ name: String, _ names: [(String, String?)]) -> String {
    var seen: Set<String> = []
    let entries = names.compactMap { text, help -> String? in
      guard seen.insert(text).inserted, let quoted = LuaType.quoted(text) else { return nil }
      let help = LuaType.comment(help)
      return "---| \(quoted)" + (help.isEmpty ? "" : " # \(help)")
    }
    return entries.isEmpty
      ? "---@alias \(name) string" : (["---@alias \(name)"] + entries).joined(separator: "\n")
  }

  private func paths(_ module: AppOutline.ModuleOutline) -> [(String, String?)] {
    [(module.name, module.description)]
      + Self.fields(of: module).filter { LuaType.isName($0.name) }.map {
        ("\(module.name).\($0.name)", $0.type)
      }
  }

  /// The fields of a module's slice, by its shape, or else as far as the first state shows them.
  private static func fields(
    of module: AppOutline.ModuleOutline
  ) -> [(name: String, type: String, isOptional: Bool)] {
    if let shape = module.shape {
      return shape.fields.map { ($0.name, LuaType.of($0.type), $0.isOptional) }
    }
    return (module.state?.mapValue ?? Map()).map {
      (LuaType.name(of: $0.key), LuaType.of($0.value), false)
    }
  }

  /// Returns the name of the class of an action's payload: `todo.Payload.add`.
  private static func className(_ type: String, _ kind: String) -> String? {
    let parts = type.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let name = parts[1].map { $0 == "/" ? "." : $0 }
    guard String(name).split(separator: ".").allSatisfy({ LuaType.isName(String($0)) }),
      LuaType.isName(parts[0])
    else { return nil }
    return "\(parts[0]).\(kind).\(String(name))"
  }

  private func payloads(_ types: [(String, PayloadSchema?)], _ kind: String) -> [String] {
    types.compactMap { type, schema in
      guard let schema, let name = Self.className(type, kind) else { return nil }
      return Self.declaration(
        name, schema.fields.map { ($0.name, LuaType.of($0.type), $0.isOptional) })
    }
  }

  private static func declaration(
    _ name: String, _ fields: [(name: String, type: String, isOptional: Bool)]
  ) -> String {
    let lines = fields.compactMap { field in
      LuaType.field(field.name).map {
        "---@field \($0)\(field.isOptional ? "?" : "") \(field.type)"
      }
    }
    return (["---@class \(name)"] + lines).joined(separator: "\n")
  }

  private func text(of module: AppOutline.ModuleOutline) -> String {
    guard LuaType.isName(module.name) else { return "" }
    let name = module.name
    var state = "any"
    var parts: [String] = []
    let fields = Self.fields(of: module)
    if !fields.isEmpty {
      state = "\(name).State"
      parts.append(Self.declaration(state, fields))
    } else if let value = module.state {
      state = LuaType.of(value)
    }
    if !module.settings.isEmpty {
      parts.append(
        Self.declaration(
          "\(name).Settings",
          module.settings.map { ($0.name, LuaType.of($0.field.type), $0.field.isOptional) }))
      parts.append("---@class \(name).Self: moon.Self\n---@field settings \(name).Settings")
    }
    parts.append(reducers(of: module.name, state))
    parts.append(
      ModuleKeyTypes.text(
        of: name, state: state, self: module.settings.isEmpty ? "moon.Self" : "\(name).Self"))
    return parts.joined(separator: "\n")
  }

  private func reducers(of module: String, _ state: String) -> String {
    let own = (actions[module[...]] ?? []).compactMap { action -> String? in
      guard action.schema != nil,
        let name = LuaType.field(String(action.type.dropFirst(module.count + 1))),
        let payload = Self.className(action.type, "Payload")
      else { return nil }
      return
        "---@field \(name)? fun(state: \(state), payload: \(payload), action: moon.Action): any"
    }
    let any = "fun(state: \(state), payload: any, action: moon.Action): any"
    return (["---@class \(module).Reducers: { [string]: \(any) }"] + own).joined(separator: "\n")
  }
}
