import MoonSession
import MoonStore
import MoonValues

/// The search for registrations that may never be called because of their names.
///
/// It can't see names that code computes when it runs. So a name is accepted if another string in
/// the modules' files contains it.
final class DeadNames {
  private static let hostActions = ["failed", "reloaded", "restored", "started", "stopped"]
  private static let allowance = Array("-- moonwire: allow ".utf8)

  private let modules: [String: Module]
  private let sources: [String: [LoadedSource]]
  /// The patterns of all routes, collected on first use.
  private lazy var routePatterns = Set(
    modules.values.flatMap { $0.routes.map(\.pattern.text.string) })
  /// The modules that aren't in service because of a problem.
  ///
  /// Their registrations aren't known.
  private let failed: Set<String>
  /// Whether a route takes a URL.
  private let takes: (Text) -> Bool

  init(_ set: ModuleSet, _ reloader: Reloader?) {
    modules = Dictionary(
      set.sorted.map { ($0.module.name.text, $0.module) }, uniquingKeysWith: { first, _ in first })
    sources = Dictionary(
      (reloader?.generations ?? [:]).map { ($0.key.text, Array($0.value.files.sources.values)) },
      uniquingKeysWith: { first, _ in first })
    takes = { set.registry.router.firstRoute(taking: $0) != nil }
    failed = Set((reloader?.problems ?? [:]).keys.map(\.text)).subtracting(modules.keys)
  }

  /// The dead names of all modules.
  var all: [DeadName] {
    modules.sorted { $0.key < $1.key }.flatMap { names(of: $0.value) }
  }

  private func names(of module: Module) -> [DeadName] {
    let found =
      patterns(of: module).compactMap { name($0, $1, module) }
      + module.observers.flatMap { names($0, module) }
      + routes(of: module).compactMap { name($0, $1, module) }
      + module.views.compactMap { name($0, module) }
      + module.extensions.compactMap { name($0, module) }
      + screens(of: module).compactMap { name($0, $1, module) }
      + module.routes.compactMap { parentName($0, module) }
    guard !found.isEmpty else { return [] }
    let allowed = allowedNames(in: module)
    return found.filter { !allowed.contains($0.name) }
  }

  private func dead(
    _ registration: Registration, _ module: Module, _ reason: DeadName.Reason,
    _ nearest: String? = nil
  ) -> DeadName {
    DeadName(module: module.name, registration: registration, reason: reason, nearest: nearest)
  }

  private func noModule(
    _ name: String, _ registration: Registration, _ module: Module
  ) -> DeadName? {
    if failed.contains(name) { return nil }
    let nearest = Spelling.nearest(to: name, in: modules.keys.sorted() + ["host", "nav"])
    return dead(registration, module, .noModule(name), nearest)
  }

  // MARK: Actions

  private func patterns(of module: Module) -> [(Registration, ActionPattern)] {
    (module.reducers + module.wholeStateReducers).map { ($0.registration, $0.pattern) }
      + module.middleware.map { ($0.registration, $0.pattern) }
      + module.afterReduce.map { ($0.registration, $0.pattern) }
      + module.moduleMappers.map { ($0.registration, $0.pattern) }
      + module.navigationMappers.map { ($0.registration, $0.pattern) }
  }

  private func name(
    _ registration: Registration, _ pattern: ActionPattern, _ module: Module
  ) -> DeadName? {
    switch pattern {
    case .all: return nil
    case .family(let prefix):
      let owner = String(prefix.string.prefix { $0 != "/" })
      if owner == "host" || owner == "nav" || modules[owner] != nil { return nil }
      return noModule(owner, registration, module)
    case .exact(let type):
      let parts = type.string.split(separator: "/", maxSplits: 1).map(String.init)
      return name(registration, owner: parts[0], parts[1], module)
    }
  }

  private func name(
    _ registration: Registration, owner: String, _ action: String, _ module: Module
  ) -> DeadName? {
    let type = "\(owner)/\(action)"
    let known: [String]
    switch owner {
    case "host": known = Self.hostActions
    case "nav": known = NavigationActions.names
    default:
      guard let other = modules[owner] else {
        return isWritten(type, besides: module) ? nil : noModule(owner, registration, module)
      }
      known = actions(of: other, besides: other.name == module.name && !other.actions.isEmpty)
      if known.contains(action) || isWritten(action, of: other, besides: module) { return nil }
    }
    if known.contains(action) { return nil }
    let nearest = Spelling.nearest(to: action, in: known).map { "\(owner)/\($0)" }
    return dead(registration, module, .noAction(type), nearest)
  }

  /// Returns the actions of a module; with `onlyDeclared`, only those that it declares.
  private func actions(of module: Module, besides onlyDeclared: Bool) -> [String] {
    let prefix = "\(module.name)/"
    let own = module.reducers.compactMap { reducer -> String? in
      guard case .exact(let type) = reducer.pattern, type.string.hasPrefix(prefix) else {
        return nil
      }
      return String(type.string.dropFirst(prefix.count))
    }
    return module.actions.map(\.name) + (onlyDeclared ? [] : own) + ["start", "stop"]
  }

  /// Whether an action appears as a string: in its own module, or in any other but the listener.
  private func isWritten(_ action: String, of owner: Module, besides listener: Module) -> Bool {
    let type = "\(owner.name)/\(action)"
    return quotes(action, owner.name.text) || quotes(type, owner.name.text)
      || isWritten(type, besides: listener)
  }

  private func isWritten(_ type: String, besides listener: Module) -> Bool {
    modules.keys.contains { $0 != listener.name.text && quotes(type, $0) }
  }

  // MARK: The state, routes and screens

  private func names(_ observer: Observer, _ module: Module) -> [DeadName] {
    observer.selection.paths.compactMap { path in
      guard case .key(let slice) = path.components.first else { return nil }
      if slice == "navigation" || modules[slice.string] != nil { return nil }
      return noModule(slice.string, observer.registration, module)
    }
  }

  private func routes(of module: Module) -> [(Registration, Text?)] {
    module.presenters.map { ($0.registration, $0.pattern) }
      + module.optionProviders.map { ($0.registration, $0.pattern) }
      + module.routingObservers.map { ($0.registration, $0.pattern) }
  }

  private func name(
    _ registration: Registration, _ pattern: Text?, _ module: Module
  ) -> DeadName? {
    guard let pattern, failed.isEmpty else { return nil }
    if routePatterns.contains(pattern.string) { return nil }
    return dead(
      registration, module, .noRoute(pattern.string),
      Spelling.nearest(to: pattern.string, in: routePatterns.sorted()))
  }

  private func name(_ view: View, _ module: Module) -> DeadName? {
    let (owner, kind) = Self.screens(view.kind.string, of: module)
    guard let other = modules[owner] else { return noModule(owner, view.registration, module) }
    let isOwn = other.name == module.name
    if !isOwn, other.views.contains(where: { $0.kind.string == kind }) {
      return dead(view.registration, module, .ownView(kind: kind, module: owner))
    }
    return noScreen(view.registration, kind, other, module)
  }

  private func name(_ added: ViewExtension, _ module: Module) -> DeadName? {
    let (owner, kind) = Self.screens(added.screens.string, of: module)
    guard let other = modules[owner] else { return noModule(owner, added.registration, module) }
    if let found = noScreen(added.registration, kind, other, module) { return found }
    let slot = added.slot.string
    if quotes(slot, owner) || sources[owner] == nil { return nil }
    return dead(added.registration, module, .noSlot(slot, module: owner))
  }

  private func noScreen(
    _ registration: Registration, _ kind: String, _ owner: Module, _ module: Module
  ) -> DeadName? {
    let kinds = owner.routes.map {
      ($0.kind ?? $0.name ?? Text(owner.name.text)).string
    }
    // Screens may get their kind when they are made, and the source of modules in Swift isn't
    // available.
    if kinds.contains(kind) || quotes(kind, owner.name.text) || sources[owner.name.text] == nil {
      return nil
    }
    return dead(
      registration, module, .noScreen(kind: kind, module: owner.name.text),
      Spelling.nearest(to: kind, in: kinds))
  }

  private func screens(of module: Module) -> [(Registration, ScreenPattern?)] {
    module.lifecycle.map { ($0.registration, $0.screens) }
      + module.presenters.map { ($0.registration, $0.screens) }
  }

  private func name(
    _ registration: Registration, _ screens: ScreenPattern?, _ module: Module
  ) -> DeadName? {
    switch screens {
    case nil, .all: return nil
    case .module(let owner):
      return modules[owner.string] == nil ? noModule(owner.string, registration, module) : nil
    case .kind(let kind, let owner):
      guard let other = modules[owner.string] else {
        return noModule(owner.string, registration, module)
      }
      return noScreen(registration, kind.string, other, module)
    }
  }

  /// The parent of a route, if no route takes it; one with parameters isn't checked.
  private func parentName(_ route: ModuleRoute, _ module: Module) -> DeadName? {
    guard let parent = route.parent?.pattern, failed.isEmpty else { return nil }
    if routePatterns.contains(parent.text.string) { return nil }
    guard parent.parameterNames.isEmpty, !takes(parent.text) else { return nil }
    return dead(
      route.registration, module, .noRoute(parent.text.string),
      Spelling.nearest(to: parent.text.string, in: routePatterns.sorted()))
  }

  private static func screens(_ text: String, of module: Module) -> (owner: String, kind: String) {
    let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : (module.name.text, text)
  }

  // MARK: Sources

  private func quotes(_ text: String, _ module: String) -> Bool {
    ["\"\(text)\"", "'\(text)'"].contains { quoted in
      (sources[module] ?? []).contains { $0.bytes.firstPlace(of: Array(quoted.utf8)) != nil }
    }
  }

  private func allowedNames(in module: Module) -> Set<String> {
    var names: Set<String> = []
    for source in sources[module.name.text] ?? [] {
      var rest = source.bytes[...]
      while let place = rest.firstPlace(of: Self.allowance) {
        rest = rest[(place + Self.allowance.count)...]
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        for name in line.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == 13 }) {
          names.insert(String(decoding: name, as: UTF8.self))
        }
      }
    }
    return names
  }
}

extension Collection<UInt8> where Index == Int {
  /// Returns the position of the first occurrence of a text.
  fileprivate func firstPlace(of text: [UInt8]) -> Int? {
    guard let first = text.first else { return nil }
    var rest = self[...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: text) { return place }
      rest = rest.dropFirst()
    }
    return nil
  }
}
