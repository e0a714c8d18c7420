import MoonStore
import MoonValues

/// Who listens to what, frozen: what one dispatch looks things up in.
struct Registry {
  // Classes, so that looking one up copies a reference and not all that it holds.

  /// A reducer with its owner.
  final class BoundReducer {
    let owner: ModuleName
    let slice: Key
    let initial: Value
    let reducer: Reducer

    init(_ reducer: Reducer, of module: Module) {
      owner = module.name
      slice = .string(Text(module.name.text))
      initial = module.state ?? .map(Map())
      self.reducer = reducer
    }
  }

  /// A middleware with its owner.
  final class BoundMiddleware {
    let owner: ModuleName
    let middleware: Middleware

    init(_ middleware: Middleware, of module: Module) {
      owner = module.name
      self.middleware = middleware
    }
  }

  /// An observer with its owner and its place in the order of registration.
  final class BoundObserver {
    let owner: ModuleName
    let observer: Observer
    let order: Int

    init(_ observer: Observer, of module: Module, order: Int) {
      owner = module.name
      self.observer = observer
      self.order = order
    }
  }

  /// A module mapper with its owner and its place in the order of registration.
  final class BoundModuleMapper {
    let owner: ModuleName
    let mapper: ModuleMapper
    let order: Int

    init(_ mapper: ModuleMapper, of module: Module, order: Int) {
      owner = module.name
      self.mapper = mapper
      self.order = order
    }
  }

  /// A navigation mapper with its owner.
  final class BoundNavigationMapper {
    let owner: ModuleName
    let mapper: NavigationMapper

    init(_ mapper: NavigationMapper, of module: Module) {
      owner = module.name
      self.mapper = mapper
    }
  }

  /// What a type of action leads to.
  final class Route {
    let type: Text
    let schema: PayloadSchema?
    let reducers: [BoundReducer]
    let wholeStateReducers: [BoundReducer]
    let middleware: [BoundMiddleware]
    /// Those that select something in the slices that the reducers may change, or in all.
    let observers: [BoundObserver]
    let moduleMappers: [BoundModuleMapper]
    let navigationMappers: [BoundNavigationMapper]
    /// Whether anybody expects this type of action.
    let isKnown: Bool
    /// Whether reducers and observers are all that have a part in it.
    let isPlain: Bool

    /// Whether anybody hears of it, expected or not.
    var isHeard: Bool {
      !reducers.isEmpty || !wholeStateReducers.isEmpty || !middleware.isEmpty
        || !moduleMappers.isEmpty || !navigationMappers.isEmpty
    }

    fileprivate init(
      type: Text, declaration: ActionDeclaration?, reducers: [BoundReducer],
      wholeStateReducers: [BoundReducer], middleware: [BoundMiddleware],
      observers: [BoundObserver],
      mappers: (module: [BoundModuleMapper], navigation: [BoundNavigationMapper]), isKnown: Bool
    ) {
      self.type = type
      schema = declaration?.schema
      self.reducers = reducers
      self.wholeStateReducers = wholeStateReducers
      self.middleware = middleware
      self.observers = observers
      moduleMappers = mappers.module
      navigationMappers = mappers.navigation
      self.isKnown = isKnown
      isPlain =
        middleware.isEmpty && wholeStateReducers.isEmpty && mappers.module.isEmpty
        && mappers.navigation.isEmpty && !NavigationActions.include(type)
    }
  }

  /// Known types that nobody asked for are not kept forever: scripts can make up any number.
  private static let routeCountMax = 4096

  private var reducers = ListenerTable<BoundReducer>()
  private var wholeStateReducers = ListenerTable<BoundReducer>()
  /// All, in the order in which they see an action.
  private(set) var middleware: [BoundMiddleware] = []
  private var moduleMappers = ListenerTable<BoundModuleMapper>()
  private var navigationMappers = ListenerTable<BoundNavigationMapper>()
  private var declarations = NavigationActions.declarations
  private var routes: [Text: Route] = [:]
  /// All, in the order of registration.
  private(set) var observers: [BoundObserver] = []
  /// The modules that say which actions they have.
  private var declarers: Set<String> = []
  /// The types that are known without a family, for spelling.
  private(set) var types: Set<String> = []
  private var names: Set<Text> = []
  /// Who has a part in routing.
  let router: Router

  /// `former` is what is replaced: what is the same needn't be built again.
  init(
    modules: [ModuleSet.Entry], routing: RoutingRules = RoutingRules(), former: Router? = nil
  ) {
    router = Router(modules: modules.map(\.module), routing: routing, former: former)
    var mapperCount = 0
    for entry in modules {
      let module = entry.module
      names.insert(Text(module.name.text))
      for mapper in module.moduleMappers {
        moduleMappers.add(
          BoundModuleMapper(mapper, of: module, order: mapperCount), for: mapper.pattern)
        mapperCount += 1
      }
      for mapper in module.navigationMappers {
        navigationMappers.add(BoundNavigationMapper(mapper, of: module), for: mapper.pattern)
      }
      if !module.actions.isEmpty { declarers.insert(module.name.text) }
      for declaration in module.actions {
        declarations[Text("\(module.name)/\(declaration.name)")] = declaration
        types.insert("\(module.name)/\(declaration.name)")
      }
      for reducer in module.reducers {
        reducers.add(BoundReducer(reducer, of: module), for: reducer.pattern)
        if case .exact(let type) = reducer.pattern { types.insert(type.string) }
      }
      for reducer in module.wholeStateReducers {
        wholeStateReducers.add(BoundReducer(reducer, of: module), for: reducer.pattern)
      }
      middleware += module.middleware.map { BoundMiddleware($0, of: module) }
      for observer in module.observers {
        observers.append(BoundObserver(observer, of: module, order: observers.count))
      }
    }
    // Stable: modules of one priority stay in their order.
    middleware = Middleware.Priority.allCases.flatMap { priority in
      middleware.filter { $0.middleware.priority == priority }
    }
  }

  func declaration(of type: Text) -> ActionDeclaration? { declarations[type] }

  /// Whose reducers listen to a type, in the order in which they run.
  func reducerOwners(of type: Text) -> [ModuleName] { reducersInOrder(of: type).map(\.owner) }

  /// The owner's reducers come first; the others stay in the order of modules.
  private func reducersInOrder(of type: Text) -> [BoundReducer] {
    let owner = type.string.prefix { $0 != "/" }
    let all = reducers.listeners(to: type)
    let own = all.filter { $0.owner.text == owner }
    return own + all.filter { $0.owner.text != owner }
  }

  /// What a type leads to.
  ///
  /// O(1) after the first time.
  mutating func route(for type: Text) -> Route {
    if let route = routes[type] { return route }
    let owner = type.string.prefix { $0 != "/" }
    let ordered = reducersInOrder(of: type)
    let whole = wholeStateReducers.listeners(to: type)
    let seeing = middleware.filter { $0.middleware.pattern.matches(type) }
    var slices = Set(ordered.map(\.slice))
    let isNavigation = NavigationActions.include(type)
    if isNavigation { slices.insert(Session.navigationKey) }
    let isHosts = owner == "nav" || owner == "host"
    let mapping = moduleMappers.listeners(to: type).filter {
      !isHosts || $0.mapper.pattern != .all
    }
    let navigating = navigationMappers.listeners(to: type).filter {
      !isHosts || $0.mapper.pattern != .all
    }
    let listening =
      (ordered + whole).map { (owner: $0.owner, pattern: $0.reducer.pattern) }
      + seeing.map { (owner: $0.owner, pattern: $0.middleware.pattern) }
      + mapping.map { (owner: $0.owner, pattern: $0.mapper.pattern) }
      + navigating.map { (owner: $0.owner, pattern: $0.mapper.pattern) }
    let route = Route(
      type: type, declaration: declarations[type], reducers: ordered, wholeStateReducers: whole,
      middleware: seeing,
      observers: observers.filter { bound in
        guard whole.isEmpty, let slice = bound.observer.slice else { return true }
        return slices.contains(.string(slice))
      },
      mappers: (mapping, navigating),
      isKnown: declarations[type] != nil || isStart(type)
        || listening.contains { expects($0.pattern, of: $0.owner, typesOf: owner) })
    if routes.count >= Self.routeCountMax { routes.removeAll() }
    routes[type] = route
    return route
  }

  /// Whether it is what module mappers start and stop a module by.
  private func isStart(_ type: Text) -> Bool {
    let parts = type.string.split(separator: "/", maxSplits: 1)
    return parts.count == 2 && (parts[1] == "start" || parts[1] == "stop")
      && names.contains(Text(String(parts[0])))
  }

  /// Whether listening so means that there is such a type, which a typing error isn't.
  ///
  /// Who listens to everything knows no type in particular; and who listens to a family of
  /// another module's knows less of it than that module, if it says which actions it has.
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
