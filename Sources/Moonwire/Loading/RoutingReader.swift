import MoonLua
import MoonNavigation
import MoonRouting
import MoonStore
import MoonValues

/// Reads the keys of a module's table for URLs, screens and mappers.
extension ModuleReader {
  mutating func readRouting(_ fields: [String: Form], into module: inout Module) {
    module.routes = routes(fields["routes"]) + handlers(fields["handlers"])
    for part in parts(fields["routing_options"], key: "routing_options") {
      guard let function = part.function else { continue }
      module.optionProviders.append(
        generation.optionProvider(function, pattern: part.pattern, priority: part.priority))
    }
    for part in parts(fields["presenters"], key: "presenters") {
      guard let function = part.function else { continue }
      module.presenters.append(
        generation.presenter(function, pattern: part.pattern, priority: part.priority))
    }
    module.routingObservers = routingObservers(fields["routing_observers"])
    module.routingPresenters = routingPresenters(fields["routing_presenters"])
    module.unmatched = reader.function(fields["unmatched"], key: "unmatched")
      .map(generation.unmatched)
    module.views = reader.functions(fields["views"], key: "views").map {
      generation.view(Text($0.name), $0.function)
    }
    module.lifecycle = lifecycle(fields["lifecycle"])
    module.moduleMappers = mappers(fields["map_modules"], key: "map_modules").map {
      generation.moduleMapper($0, $1)
    }
    module.navigationMappers = mappers(fields["map_navigation"], key: "map_navigation").map {
      generation.navigationMapper($0, $1)
    }
  }

  // MARK: Routes

  /// Reads `routes = { ["/counter/:start"] = { screen = function, option = …, … } }`.
  private mutating func routes(_ form: Form?) -> [ModuleRoute] {
    var routes: [ModuleRoute] = []
    for (text, value) in patterns(form, key: "routes") where !reader.isFull {
      let key = "routes[\"\(text)\"]"
      var fields: [String: Form] = [:]
      if value.functionValue != nil {
        fields = ["screen": value]
      } else {
        fields = reader.fields(
          of: value, key: key, known: ["kind", "name", "option", "priority", "screen"])
        if fields["screen"] == nil, value.fields != nil {
          reader.note(
            .wrongKind(key: key + ".screen", expected: "a function", found: "nothing"),
            at: reader.place(quoting: text))
          continue
        }
      }
      let option = option(fields["option"], key: key + ".option", text)
      guard let function = reader.function(fields["screen"], key: key + ".screen"),
        let pattern = routePattern(text, function)
      else { continue }
      routes.append(
        ModuleRoute(
          pattern, name: reader.string(fields["name"], key: key + ".name").map { Text($0) },
          priority: priority(fields["priority"], key: key), option: option,
          kind: reader.string(fields["kind"], key: key + ".kind").map { Text($0) },
          place: reader.place(quoting: text) ?? function.place,
          .screen(generation.screenProvider(function))))
    }
    return routes
  }

  /// Reads `handlers = { ["/logout"] = function }`, or `{ run = function, … }`.
  private mutating func handlers(_ form: Form?) -> [ModuleRoute] {
    var routes: [ModuleRoute] = []
    for (text, value) in patterns(form, key: "handlers") where !reader.isFull {
      let key = "handlers[\"\(text)\"]"
      var fields: [String: Form] = [:]
      if value.functionValue != nil {
        fields = ["run": value]
      } else {
        fields = reader.fields(of: value, key: key, known: ["name", "priority", "run"])
      }
      guard let function = required(fields["run"], key: key + ".run", value),
        let pattern = routePattern(text, function)
      else { continue }
      routes.append(
        ModuleRoute(
          pattern, name: reader.string(fields["name"], key: key + ".name").map { Text($0) },
          priority: priority(fields["priority"], key: key), option: nil, kind: nil,
          place: reader.place(quoting: text) ?? function.place,
          .handler(generation.handler(function))))
    }
    return routes
  }

  private mutating func patterns(_ form: Form?, key: String) -> [(String, Form)] {
    guard let form else { return [] }
    guard let fields = form.fields else {
      reader.note(
        .wrongKind(key: key, expected: "a table of patterns", found: form.kind), key: key)
      return []
    }
    reader.noteUnnamed(in: form, key: key, what: "pattern")
    return fields.map { ($0.name, $0.form) }
  }

  private mutating func routePattern(_ text: String, _ function: LuaFunction) -> RoutePattern? {
    do throws(RoutePatternError) {
      let pattern = try RoutePattern(parsing: Text(text))
      if patternCount.takes(pattern) { return pattern }
      if !patternCount.isFull {
        patternCount.isFull = true
        reader.note(.tooManyRoutes, at: reader.place(quoting: text) ?? function.place)
      }
    } catch {
      reader.note(
        .invalidRoute(text: text, error), at: reader.place(quoting: text) ?? function.place)
    }
    return nil
  }

  private mutating func option(_ form: Form?, key: String, _ pattern: String) -> RoutingOption? {
    guard let form else { return nil }
    if case .value(let value) = form, let option = RoutingOption(reading: value) { return option }
    reader.note(
      .wrongKind(key: key, expected: "an option such as moon.push()", found: form.kind),
      at: reader.place(quoting: pattern))
    return nil
  }

  private mutating func priority(_ form: Form?, key: String) -> Int {
    reader.integer(form, key: key + ".priority").map { Int(clamping: $0) } ?? 0
  }

  // MARK: What takes part in routings

  private struct Part {
    var pattern: Text?
    var priority = 0
    var function: LuaFunction?
  }

  /// Reads a function, `{ route = pattern, priority = 1, run = function }`, or a list of these.
  private mutating func parts(_ form: Form?, key: String) -> [Part] {
    guard let form else { return [] }
    if let function = form.functionValue { return [Part(function: function)] }
    if let elements = form.elements {
      return elements.enumerated().map { part($1, key: "\(key)[\($0 + 1)]") }
    }
    return [part(form, key: key)]
  }

  private mutating func part(_ form: Form, key: String) -> Part {
    if let function = form.functionValue { return Part(function: function) }
    let fields = reader.fields(of: form, key: key, known: ["priority", "route", "run"])
    return Part(
      pattern: observed(fields["route"], key: key),
      priority: priority(fields["priority"], key: key),
      function: required(fields["run"], key: key + ".run", form))
  }

  /// Reads the pattern that a part is limited to, which may be another module's.
  private mutating func observed(_ form: Form?, key: String) -> Text? {
    guard let text = reader.string(form, key: key + ".route") else { return nil }
    do throws(RoutePatternError) {
      return try RoutePattern(parsing: Text(text)).text
    } catch {
      reader.note(.invalidRoute(text: text, error), at: reader.place(quoting: text))
      return nil
    }
  }

  private mutating func required(_ form: Form?, key: String, _ owner: Form) -> LuaFunction? {
    if form == nil, owner.fields != nil {
      reader.note(.wrongKind(key: key, expected: "a function", found: "nothing"), key: key)
    }
    return reader.function(form, key: key)
  }

  /// Reads `routing_observers = { will = function, did = function }`, or a list of these.
  private mutating func routingObservers(_ form: Form?) -> [RoutingObserver] {
    guard let form else { return [] }
    let elements = form.elements ?? [form]
    return elements.enumerated().compactMap { index, element in
      let key = "routing_observers" + (form.elements == nil ? "" : "[\(index + 1)]")
      let fields = reader.fields(
        of: element, key: key, known: ["did", "priority", "route", "will"])
      let will = reader.function(fields["will"], key: key + ".will")
      let did = reader.function(fields["did"], key: key + ".did")
      if fields["will"] == nil, fields["did"] == nil, element.fields != nil {
        reader.note(
          .wrongKind(key: key, expected: "will or did", found: "neither"), key: key)
      }
      guard will != nil || did != nil else { return nil }
      return generation.routingObserver(
        will: will, did: did, pattern: observed(fields["route"], key: key),
        priority: priority(fields["priority"], key: key))
    }
  }

  /// Reads `routing_presenters = { drawer = function }`, or `{ priority = 1, run = function }`.
  private mutating func routingPresenters(_ form: Form?) -> [RoutingPresenter] {
    guard let form else { return [] }
    guard let kinds = form.fields else {
      reader.note(
        .wrongKind(key: "routing_presenters", expected: "a table of functions", found: form.kind),
        key: "routing_presenters")
      return []
    }
    return kinds.compactMap { kind, value in
      let key = "routing_presenters.\(kind)"
      if let function = value.functionValue {
        return generation.routingPresenter(Text(kind), function, priority: 0)
      }
      let fields = reader.fields(of: value, key: key, known: ["priority", "run"])
      return required(fields["run"], key: key + ".run", value).map {
        generation.routingPresenter(
          Text(kind), $0, priority: priority(fields["priority"], key: key))
      }
    }
  }

  private mutating func lifecycle(_ form: Form?) -> [LifecycleListener] {
    guard let form else { return [] }
    let stages = ScreenStage.allCases.map(\.rawValue)
    let fields = reader.fields(of: form, key: "lifecycle", known: stages)
    return ScreenStage.allCases.compactMap { stage in
      reader.function(fields[stage.rawValue], key: "lifecycle.\(stage.rawValue)").map {
        generation.lifecycleListener(stage, $0)
      }
    }
  }

  // MARK: Mappers

  /// Reads a function for all actions, or a table of functions by pattern.
  private mutating func mappers(
    _ form: Form?, key: String
  ) -> [(ActionPattern, LuaFunction)] {
    guard let form else { return [] }
    if let function = form.functionValue { return [(.all, function)] }
    return reader.functions(form, key: key).compactMap { name, function in
      pattern(name, key: key, place: function.place).map { ($0, function) }
    }
  }
}

/// Counts what the patterns of one module take in the table of all routes.
///
/// That table belongs to the host, so the module's memory quota doesn't count it.
struct PatternCount {
  /// How many components all variants of a module's patterns may have.
  ///
  /// This is enough for some ten thousand routes, which take 18 MB of the table. It takes 64 such
  /// modules to fill the table.
  static let componentCountMax = 1 << 18
  /// How many bytes the texts of all variants may have.
  static let byteCountMax = 1 << 24

  private var componentCount = 0
  private var byteCount = 0
  /// Whether the module has been told that it has too many.
  var isFull = false

  /// Counts a pattern; false if it is one too many.
  mutating func takes(_ pattern: RoutePattern) -> Bool {
    let components = componentCount + pattern.variantComponentCountMax
    let bytes = byteCount + pattern.variantByteCount
    guard components <= Self.componentCountMax, bytes <= Self.byteCountMax else { return false }
    (componentCount, byteCount) = (components, bytes)
    return true
  }
}
