import Moonwire

/// The types of `moon`, `self`, tasks, timers and services.
enum LibraryTypes {
  /// Returns the annotations.
  static func text(_ services: [Service]) -> String {
    let words = ScriptLibrary.words
    let parts =
      [heads] + words.filter { $0.parameters == nil }.map(value)
      + words.filter { $0.parameters != nil && !$0.owner.isEmpty }.map(function)
      + services.map(text)
    return parts.joined(separator: "\n") + "\n"
  }

  private static let heads = """
    ---@class moon
    local moon = {}
    ---@class moon.Self
    local self = {}
    ---@class moon.Task
    local task = {}
    ---@class moon.Timer
    local timer = {}
    """

  private static func value(_ word: ScriptWord) -> String {
    let type = LuaType.ofWord(word.result ?? "any")
    guard ScriptNames.moon[word.path] == nil else {
      return "---\(LuaType.comment(word.help))\n\(word.path) = {}"
    }
    return "---\(LuaType.comment(word.help))\n---@type \(type)\n\(word.path) = any"
  }

  /// The names of the project's own types, for parameters of certain names.
  private static func ownType(_ word: ScriptWord, _ parameter: ScriptWord.Parameter) -> String? {
    switch (word.path, parameter.name) {
    case ("moon.module", "table"): "moon.Module"
    case ("moon.url", "name"): "moon.RouteName|string"
    case ("self.call", "command"): "moon.CommandName|string"
    case (_, "type") where word.owner == "self" || word.path == "moon.take":
      "moon.ActionType|" + LuaType.ofWord(parameter.type)
    case (_, "target") where word.path == "moon.ui.button":
      "moon.ActionType|" + LuaType.ofWord(parameter.type)
    case ("moon.ui.submit", "type"): "moon.ActionType|string"
    case ("self.state", "path"): "moon.StatePath|string"
    default: nil
    }
  }

  private static func function(_ word: ScriptWord) -> String {
    var lines = ["---\(LuaType.comment(word.help))"]
    if word.path == "moon.module" { lines.append("---@generic T: moon.Module") }
    var names: [String] = []
    for parameter in word.parameters ?? [] {
      if parameter.name == "…" {
        names.append("...")
        lines.append("---@param ... any")
        continue
      }
      let name = LuaType.isName(parameter.name) ? parameter.name : parameter.name + "_"
      names.append(name)
      var type = ownType(word, parameter) ?? LuaType.ofWord(parameter.type)
      if word.path == "moon.module" { type = "T" }
      lines.append("---@param \(name)\(parameter.isOptional ? "?" : "") \(type)")
    }
    let results =
      word.path == "moon.module"
      ? ["T"]
      : (word.result ?? "").split(separator: ",").map {
        LuaType.ofWord(String($0))
      }
    lines += results.map { "---@return \($0)" }
    if word.path == "self.dispatch" { lines.append(ProjectTypes.overloadPlace) }
    return (lines + ["function \(word.path)(\(names.joined(separator: ", "))) end"])
      .joined(separator: "\n")
  }

  // MARK: Services

  private static func text(_ service: Service) -> String {
    let handles = Set(service.handles.map(\.name))
    let path = "moon.\(service.name)"
    let opened = service.handles.map { handle -> String in
      let name = "\(service.name)_\(handle.name)"
      let methods = handle.methods.map {
        function($0, "\(name):\($0.name)", service.name, handles)
      }
      let type = handle.name == "stream" ? "stream<T>" : handle.name
      return
        (["---\(LuaType.comment(handle.summary))", "---@class \(path).\(type)"]
        + ["do local \(name) = {}"] + methods
        + ["---closes it", "function \(name):close() end", "end"]).joined(separator: "\n")
    }
    let functions = service.functions.map {
      function($0, "\(path).\($0.name)", service.name, handles)
    }
    return (opened + ["---\(LuaType.comment(service.summary))", "\(path) = {}"] + functions)
      .joined(separator: "\n")
  }

  private static func function(
    _ function: ServiceFunction, _ path: String, _ service: String, _ handles: Set<String>
  ) -> String {
    func type(_ text: String) -> String { LuaType.ofService(text, service, handles: handles) }
    var lines = ["---\(LuaType.comment(function.summary))"]
    let positional = function.parameters.filter { $0.presence != .named }
    let named = function.parameters.filter { $0.presence == .named }
    var names = positional.map { LuaType.isName($0.name) ? $0.name : $0.name + "_" }
    for (name, parameter) in zip(names, positional) {
      lines.append(
        "---@param \(name)\(parameter.presence == .optional ? "?" : "") \(type(parameter.type))"
          + (parameter.summary.isEmpty ? "" : " \(LuaType.comment(parameter.summary))"))
    }
    if !named.isEmpty {
      let fields = named.map { "\(LuaType.field($0.name) ?? "any")?: \(type($0.type))" }
      names.append("options")
      lines.append("---@param options? { \(fields.joined(separator: ", ")) }")
    }
    lines += results(of: function).map { "---@return \(type($0))" }
    return (lines + ["function \(path)(\(names.joined(separator: ", "))) end"])
      .joined(separator: "\n")
  }

  /// Splits `string, boolean` outside of braces.
  private static func results(of function: ServiceFunction) -> [String] {
    var (parts, depth) = ([""], 0)
    for character in function.returns {
      if character == "{" { depth += 1 } else if character == "}" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }
}
