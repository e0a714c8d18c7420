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

  /// What a type of action leads to.
  final class Route {
    let type: Text
    let schema: PayloadSchema?
    let reducers: [BoundReducer]
    let wholeStateReducers: [BoundReducer]
    let middleware: [BoundMiddleware]
    /// Those that select something in the slices that the reducers may change, or in all.
    let observers: [BoundObserver]
    /// Whether anybody expects this type of action.
    let isKnown: Bool

    fileprivate init(
      type: Text, declaration: ActionDeclaration?, reducers: [BoundReducer],
      wholeStateReducers: [BoundReducer], middleware: [BoundMiddleware],
      observers: [BoundObserver]
    ) {
      self.type = type
      schema = declaration?.schema
      self.reducers = reducers
      self.wholeStateReducers = wholeStateReducers
      self.middleware = middleware
      self.observers = observers
      isKnown =
        declaration != nil || !reducers.isEmpty || !wholeStateReducers.isEmpty
        || middleware.contains { $0.middleware.pattern != .all }
    }
  }

  /// Known types that nobody asked for are not kept forever: scripts can make up any number.
  private static let routeCountMax = 4096

  private var reducers = ListenerTable<BoundReducer>()
  private var wholeStateReducers = ListenerTable<BoundReducer>()
  /// All, in the order in which they see an action.
  private(set) var middleware: [BoundMiddleware] = []
  private var declarations: [Text: ActionDeclaration] = [:]
  private var routes: [Text: Route] = [:]
  private var observers: [BoundObserver] = []
  /// The types that are known without a family, for spelling.
  private(set) var types: Set<String> = []

  init(modules: [ModuleSet.Entry]) {
    for entry in modules {
      let module = entry.module
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

  func reducerOwners(of type: Text) -> [ModuleName] { reducers.listeners(to: type).map(\.owner) }

  /// What a type leads to. O(1) after the first time.
  mutating func route(for type: Text) -> Route {
    if let route = routes[type] { return route }
    let owner = type.string.prefix { $0 != "/" }
    // The owner's reducers come first; the others stay in the order of modules.
    let all = reducers.listeners(to: type)
    let own = all.filter { $0.owner.text == owner }
    let ordered = own + all.filter { $0.owner.text != owner }
    let whole = wholeStateReducers.listeners(to: type)
    let slices = Set(ordered.map(\.slice))
    let route = Route(
      type: type, declaration: declarations[type], reducers: ordered, wholeStateReducers: whole,
      middleware: middleware.filter { $0.middleware.pattern.matches(type) },
      observers: observers.filter { bound in
        guard whole.isEmpty, let slice = bound.observer.slice else { return true }
        return slices.contains(.string(slice))
      })
    if routes.count >= Self.routeCountMax { routes.removeAll() }
    routes[type] = route
    return route
  }
}
