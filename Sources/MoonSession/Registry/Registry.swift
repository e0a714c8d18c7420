import MoonStore
package import MoonValues

/// Who listens to what, frozen: what one dispatch looks things up in.
package struct Registry {
  /// How many types' listeners are kept: scripts can make up any number of types.
  private static let listenersMax = 4096

  private var reducers = ListenerTable<Bound<Reducer>>()
  private var wholeStateReducers = ListenerTable<Bound<Reducer>>()
  private var moduleMappers = ListenerTable<Bound<ModuleMapper>>()
  private var navigationMappers = ListenerTable<Bound<NavigationMapper>>()
  private var effects = ListenerTable<Bound<Effect>>()
  /// All, in the order in which they see an action.
  let middleware: [Bound<Middleware>]
  /// All, in the order of registration.
  let observers: [Bound<Observer>]
  private var declarations = NavigationActions.declarations
  /// The modules that declare their actions.
  private let declarers: Set<String>
  /// The types that are known without a family, for spelling.
  package private(set) var types: Set<String> = []
  private let names: Set<Text>
  private var known: [Text: Listeners] = [:]
  /// Who has a part in routing.
  package let router: Router

  /// `former` is what this one replaces: what is the same isn't built again.
  init(
    modules: [Module], routing: RoutingRules = RoutingRules(), former: Router? = nil
  ) {
    router = Router(modules: modules, routing: routing, former: former)
    names = Set(modules.map { Text($0.name.text) })
    declarers = Set(modules.filter { !$0.actions.isEmpty }.map(\.name.text))
    observers = Bound.all(modules, \.observers)
    // Stable: those of one priority stay in the order of modules.
    let middleware = Bound.all(modules, \.middleware)
    self.middleware = Middleware.Priority.allCases.flatMap { priority in
      middleware.filter { $0.part.priority == priority }
    }
    for mapper in Bound.all(modules, \.moduleMappers) {
      moduleMappers.add(mapper, for: mapper.part.pattern)
    }
    for mapper in Bound.all(modules, \.navigationMappers) {
      navigationMappers.add(mapper, for: mapper.part.pattern)
    }
    for effect in Bound.all(modules, \.effects) {
      effects.add(effect, for: effect.part.pattern)
      if case .exact(let type) = effect.part.pattern { types.insert(type.string) }
    }
    for reducer in Bound.all(modules, \.wholeStateReducers) {
      wholeStateReducers.add(reducer, for: reducer.part.pattern)
    }
    for reducer in Bound.all(modules, \.reducers) {
      reducers.add(reducer, for: reducer.part.pattern)
      if case .exact(let type) = reducer.part.pattern { types.insert(type.string) }
    }
    for module in modules {
      for declaration in module.actions {
        declarations[Text("\(module.name)/\(declaration.name)")] = declaration
        types.insert("\(module.name)/\(declaration.name)")
      }
    }
  }

  package func declaration(of type: Text) -> ActionDeclaration? { declarations[type] }

  /// The modules whose reducers listen to a type, in the order in which they run.
  package func reducerOwners(of type: Text) -> [ModuleName] {
    reducersInOrder(of: type).map(\.owner)
  }

  /// The owner's reducers come first; the others stay in the order of modules.
  private func reducersInOrder(of type: Text) -> [Bound<Reducer>] {
    let owner = type.string.prefix { $0 != "/" }
    let all = reducers.listeners(to: type)
    let own = all.filter { $0.owner.text == owner }
    return own + all.filter { $0.owner.text != owner }
  }

  /// What a type sets in motion.
  ///
  /// - Complexity: O(1) after the first time.
  mutating func listeners(to type: Text) -> Listeners {
    if let listeners = known[type] { return listeners }
    let listeners = find(type)
    if known.count >= Self.listenersMax { known.removeAll() }
    known[type] = listeners
    return listeners
  }

  private func find(_ type: Text) -> Listeners {
    let owner = type.string.prefix { $0 != "/" }
    let isHosts = owner == "nav" || owner == "host"
    let reducers = reducersInOrder(of: type)
    let whole = wholeStateReducers.listeners(to: type)
    let middleware = middleware.filter { $0.part.pattern.matches(type) }
    let mapping = moduleMappers.listeners(to: type).filter {
      !isHosts || $0.part.pattern != .all
    }
    let navigating = navigationMappers.listeners(to: type).filter {
      !isHosts || $0.part.pattern != .all
    }
    let effects = effects.listeners(to: type)
    var slices = Set(reducers.map(\.slice))
    if NavigationActions.include(type) { slices.insert(NavigationState.key) }
    let patterns =
      (reducers + whole).map { (owner: $0.owner, pattern: $0.part.pattern) }
      + middleware.filter { $0.part.pattern == .exact(type) }
      .map { (owner: $0.owner, pattern: $0.part.pattern) }
      + mapping.map { (owner: $0.owner, pattern: $0.part.pattern) }
      + navigating.map { (owner: $0.owner, pattern: $0.part.pattern) }
      + effects.map { (owner: $0.owner, pattern: $0.part.pattern) }
    return Listeners(
      type: type, owner: ModuleName(String(owner)), schema: declarations[type]?.schema,
      middleware: middleware,
      moduleMappers: mapping, reducers: reducers, wholeStateReducers: whole,
      observers: observers.filter { bound in
        guard whole.isEmpty, let slice = bound.part.slice else { return true }
        return slices.contains(.string(slice))
      },
      navigationMappers: navigating, effects: effects,
      isKnown: declarations[type] != nil || isStart(type)
        || patterns.contains { expects($0.pattern, of: $0.owner, typesOf: owner) })
  }

  /// Whether it is what module mappers start and stop a module by.
  private func isStart(_ type: Text) -> Bool {
    let parts = type.string.split(separator: "/", maxSplits: 1)
    return parts.count == 2 && (parts[1] == "start" || parts[1] == "stop")
      && names.contains(Text(String(parts[0])))
  }

  /// Whether a pattern shows that there is such a type, and not only a misspelt one.
  ///
  /// Whoever listens to everything knows no type in particular. Whoever listens to a family of
  /// another module's knows less of it than that module, if it declares its actions. Middleware
  /// knows only what it names: it looks at a family to guard it.
  private func expects(
    _ pattern: ActionPattern, of listener: ModuleName, typesOf owner: Substring
  ) -> Bool {
    switch pattern {
    case .exact: true
    case .family: listener.text == owner || !declarers.contains(String(owner))
    case .all: false
    }
  }
}
