import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonValues

/// The listeners of all modules, immutable: the table that each dispatch uses.
package struct Registry {
  /// The number of types whose listeners are cached.
  ///
  /// Scripts can make up any number of types.
  private static let listenersMax = 4096

  private var reducers = ListenerTable<Bound<Reducer>>()
  private var wholeStateReducers = ListenerTable<Bound<Reducer>>()
  private var moduleMappers = ListenerTable<Bound<ModuleMapper>>()
  private var navigationMappers = ListenerTable<Bound<NavigationMapper>>()
  private var effects = ListenerTable<Bound<Effect>>()
  /// All middleware, in the order in which it sees an action.
  let middleware: [Bound<Middleware>]
  /// All middleware after the reduce, in the order in which it is called.
  private let afterReduce: [Bound<AfterReduce>]
  /// All observers, in the order of registration.
  let observers: [Bound<Observer>]
  private var declarations = NavigationActions.declarations.merging(RequestSwitch.declarations) {
    $1
  }
  /// The modules that declare their actions.
  private let declarers: Set<String>
  /// The types that are named in full, for suggestions of spelling.
  package private(set) var types: Set<String> = []
  private let names: Set<Text>
  private var known: [Text: Listeners] = [:]
  /// The registrations that take part in routing.
  package let router: Router

  /// Builds the table.
  ///
  /// Parts that are unchanged since `former` are reused.
  init(
    modules: [Module], routing: RoutingRules = RoutingRules(), former: Router? = nil
  ) {
    router = Router(modules: modules, routing: routing, former: former)
    names = Set(modules.map { Text($0.name.text) })
    declarers = Set(modules.filter { !$0.actions.isEmpty }.map(\.name.text))
    observers = Bound.all(modules, \.observers)
    middleware = Self.ranked(Bound.all(modules, \.middleware), \.priority)
    afterReduce = Self.ranked(Bound.all(modules, \.afterReduce), \.priority)
    for mapper in Bound.all(modules, \.moduleMappers) {
      moduleMappers.add(mapper, for: mapper.part.pattern)
    }
    for mapper in Bound.all(modules, \.navigationMappers) {
      navigationMappers.add(mapper, for: mapper.part.pattern)
    }
    for effect in Bound.all(modules, \.effects) where !effect.part.isKept {
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

  /// Sorts stably: parts of equal priority stay in the order of modules.
  private static func ranked<Part>(
    _ all: [Bound<Part>], _ priority: KeyPath<Part, Middleware.Priority>
  ) -> [Bound<Part>] {
    Middleware.Priority.allCases.flatMap { rank in
      all.filter { $0.part[keyPath: priority] == rank }
    }
  }

  package func declaration(of type: Text) -> ActionDeclaration? { declarations[type] }

  /// Returns the known type with the most similar spelling to a misspelt one.
  ///
  /// - Complexity: O(types), at most ``Spelling/candidateCountMax`` comparisons.
  package func nearestType(to type: String) -> String? {
    // The order matters only if some candidates aren't compared.
    types.count <= Spelling.candidateCountMax
      ? Spelling.nearest(to: type, in: types) : Spelling.nearest(to: type, in: types.sorted())
  }

  /// Returns the modules whose reducers listen to a type, in the order in which they run.
  package func reducerOwners(of type: Text) -> [ModuleName] {
    reducersInOrder(of: type).map(\.owner)
  }

  /// Returns the owner's reducers, then the others in the order of modules.
  private func reducersInOrder(of type: Text) -> [Bound<Reducer>] {
    let owner = type.string.prefix { $0 != "/" }
    let all = reducers.listeners(to: type)
    let own = all.filter { $0.owner.text == owner }
    return own + all.filter { $0.owner.text != owner }
  }

  /// Returns the listeners to a type.
  ///
  /// - Complexity: O(1) after the first call for a type.
  mutating func listeners(to type: Text) -> Listeners {
    if let listeners = known[type] { return listeners }
    let listeners = find(type)
    if known.count >= Self.listenersMax { known.removeAll() }
    known[type] = listeners
    return listeners
  }

  private func find(_ type: Text) -> Listeners {
    let owner = type.string.prefix { $0 != "/" }
    let isHostOnly = owner == "nav" || owner == "host"
    let reducers = reducersInOrder(of: type)
    let whole = wholeStateReducers.listeners(to: type)
    let middleware = middleware.filter { $0.part.pattern.matches(type) }
    let mapping = moduleMappers.listeners(to: type).filter {
      !isHostOnly || $0.part.pattern != .all
    }
    let navigating = navigationMappers.listeners(to: type).filter {
      !isHostOnly || $0.part.pattern != .all
    }
    let effects = effects.listeners(to: type)
    let after = afterReduce.filter { $0.part.pattern.matches(type) }
    var slices = Set(reducers.map(\.slice))
    if NavigationActions.include(type) { slices.insert(NavigationState.key) }
    let patterns =
      (reducers + whole).map { (owner: $0.owner, pattern: $0.part.pattern) }
      + middleware.filter { $0.part.pattern == .exact(type) }
      .map { (owner: $0.owner, pattern: $0.part.pattern) }
      + after.filter { $0.part.pattern == .exact(type) }
      .map { (owner: $0.owner, pattern: $0.part.pattern) }
      + mapping.map { (owner: $0.owner, pattern: $0.part.pattern) }
      + navigating.map { (owner: $0.owner, pattern: $0.part.pattern) }
      + effects.map { (owner: $0.owner, pattern: $0.part.pattern) }
    return Listeners(
      type: type, owner: ModuleName(String(owner)), schema: declarations[type]?.schema,
      middleware: middleware,
      moduleMappers: mapping, reducers: reducers, wholeStateReducers: whole,
      observers: observers.filter { !whole.isEmpty || $0.part.selection.lies(in: slices) },
      answers: CommitListeners(
        navigationMappers: navigating, afterReduce: after, effects: effects,
        turnsRequests: RequestSwitch.declarations[type] != nil),
      isKnown: declarations[type] != nil || isStart(type)
        || patterns.contains { expects($0.pattern, of: $0.owner, typesOf: owner) })
  }

  /// Returns whether module mappers start or stop a module by this type.
  private func isStart(_ type: Text) -> Bool {
    let parts = type.string.split(separator: "/", maxSplits: 1)
    return parts.count == 2 && (parts[1] == "start" || parts[1] == "stop")
      && names.contains(Text(String(parts[0])))
  }

  /// Returns whether a pattern is evidence that the type exists and isn't misspelt.
  ///
  /// A pattern for all actions isn't. A pattern for a family of another module isn't either, if
  /// that module declares its actions. A pattern of middleware counts only if it names the type,
  /// since middleware may guard a whole family.
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
