import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `map_modules = function(action, state) … end`, or a table of functions by pattern.
  static let mapModules = KeyReader("map_modules") { reader, form, module in
    for (pattern, function) in reader.functionsByAction(form, key: "map_modules") {
      module.moduleMappers.append(reader.generation.moduleMapper(pattern, function))
    }
  }

  /// Reads `map_navigation = function(action, state) … end`, or a table of functions by pattern.
  static let mapNavigation = KeyReader("map_navigation") { reader, form, module in
    for (pattern, function) in reader.functionsByAction(form, key: "map_navigation") {
      module.navigationMappers.append(reader.generation.navigationMapper(pattern, function))
    }
  }
}

extension Generation {
  fileprivate func moduleMapper(
    _ pattern: ActionPattern, _ function: LuaFunction
  ) -> ModuleMapper {
    let limits = limits(.mapper, "a module mapper")
    return ModuleMapper(pattern, place: function.place) { [self] action, context in
      try mappings(try ask(function, .value(action.value), context, limits), function)
    }
  }

  fileprivate func navigationMapper(
    _ pattern: ActionPattern, _ function: LuaFunction
  ) -> NavigationMapper {
    let limits = limits(.mapper, "a navigation mapper")
    return NavigationMapper(pattern, place: function.place) { [self] action, context in
      let answer = try ask(function, .value(action.value), context, limits)
      return try answers.navigation(answer, of: "a navigation mapper", function)
    }
  }

  /// Reads a module mapper's answer: nothing, one mapping, or a list of them.
  fileprivate func mappings(_ answer: Value?, _ function: LuaFunction) throws(CodeFailure)
    -> [ModuleMapping]
  {
    var found: [ModuleMapping] = []
    for one in try answers.flat(answer, function) {
      guard let mapping = ModuleMapping(script: one, owner: name.text) else {
        throw refusal(
          """
          a module mapper returns nothing, moon.start(module), moon.stop(module), \
          moon.replace(action), or a list of these, not \(one.kind)
          """, function)
      }
      found.append(mapping)
    }
    return found
  }
}

extension ModuleMapping {
  /// Reads the result of `moon.start`, `moon.stop` or `moon.replace`; nil for any other value.
  fileprivate init?(script value: Value, owner: String) {
    guard case .map(let map) = value else { return nil }
    let payload = map["payload"] ?? .null
    if let module = map["start"]?.stringValue.flatMap({ ModuleName($0) }) {
      self = .start(module, payload)
    } else if let module = map["stop"]?.stringValue.flatMap({ ModuleName($0) }) {
      self = .stop(module, payload)
    } else if let action = map["replace"].flatMap({ Action(script: $0, owner: owner) }) {
      self = .replace(action)
    } else {
      return nil
    }
  }
}
