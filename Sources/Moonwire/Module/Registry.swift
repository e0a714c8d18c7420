import MoonStore
import MoonValues

/// Who listens to what, frozen: what one dispatch looks things up in.
struct Registry {
  /// A reducer with its owner.
  struct BoundReducer {
    let owner: ModuleName
    let slice: Key
    let initial: Value
    let reducer: Reducer
  }

  struct BoundMiddleware {
    let owner: ModuleName
    let middleware: Middleware
  }

  struct BoundObserver {
    let owner: ModuleName
    let observer: Observer
    let order: Int
  }

  /// What a type of action leads to. A class, so that a look-up copies one reference.
  final class Route {
    let schema: PayloadSchema?
    let isDeclared: Bool
    let reducers: [BoundReducer]
    let wholeStateReducers: [BoundReducer]
    let middleware: [BoundMiddleware]

    init(
      schema: PayloadSchema?, isDeclared: Bool, reducers: [BoundReducer],
      wholeStateReducers: [BoundReducer], middleware: [BoundMiddleware]
    ) {
      self.schema = schema
      self.isDeclared = isDeclared
      self.reducers = reducers
      self.wholeStateReducers = wholeStateReducers
      self.middleware = middleware
    }

    /// Whether anybody expects this type of action.
    var isKnown: Bool {
      isDeclared || !reducers.isEmpty || !wholeStateReducers.isEmpty
        || middleware.contains { $0.middleware.pattern != .all }
    }
  }

  /// Known types that nobody asked for are not kept forever: scripts can make up any number.
  private static let routeCountMax = 4096

  private var reducers = ListenerTable<BoundReducer>()
  private var wholeStateReducers = ListenerTable<BoundReducer>()
  private var middleware: [BoundMiddleware] = []
  private var declarations: [Text: ActionDeclaration] = [:]
  private var routes: [Text: Route] = [:]
  private(set) var observers: [Text: [BoundObserver]] = [:]
  private(set) var wholeStateObservers: [BoundObserver] = []
  /// The types that are known without a family, for spelling.
  private(set) var types: Set<String> = []

  init(modules: [ModuleSet.Entry]) {
    var order = 0
    for entry in modules {
      let module = entry.module
      let slice = Text(module.name.text)
      for declaration in module.actions {
        declarations[Text("\(module.name)/\(declaration.name)")] = declaration
        types.insert("\(module.name)/\(declaration.name)")
      }
      let initial = module.state ?? .map(Map())
      for reducer in module.reducers {
        let bound = BoundReducer(
          owner: module.name, slice: .string(slice), initial: initial, reducer: reducer)
        reducers.add(bound, for: reducer.pattern)
        if case .exact(let type) = reducer.pattern { types.insert(type.string) }
      }
      for reducer in module.wholeStateReducers {
        wholeStateReducers.add(
          BoundReducer(owner: module.name, slice: .string(slice), initial: initial, reducer: reducer),
          for: reducer.pattern)
      }
      for one in module.middleware {
        middleware.append(BoundMiddleware(owner: module.name, middleware: one))
      }
      for observer in module.observers {
        let bound = BoundObserver(owner: module.name, observer: observer, order: order)
        order += 1
        if let slice = observer.slice {
          observers[slice, default: []].append(bound)
        } else {
          wholeStateObservers.append(bound)
        }
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
    let route = Route(
      schema: declarations[type]?.schema, isDeclared: declarations[type] != nil,
      reducers: own + all.filter { $0.owner.text != owner },
      wholeStateReducers: wholeStateReducers.listeners(to: type),
      middleware: middleware.filter { $0.middleware.pattern.matches(type) })
    if routes.count >= Self.routeCountMax { routes.removeAll() }
    routes[type] = route
    return route
  }
}
