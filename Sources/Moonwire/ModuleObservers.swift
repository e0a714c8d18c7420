import MoonFeatures
import MoonModules
import MoonScripts
import MoonValues

/// The functions that receive each module before it is put in service.
///
/// Confined to the host.
final class ModuleObservers {
  /// A function that may add registrations to a module.
  typealias Body = @Sendable (inout Module) throws -> Void

  private let options: HostOptions
  private var bodies: [Body] = []
  /// What the program expects of modules, by their names and the interfaces.
  private var interfaces: [String: [ObjectIdentifier: InterfaceCheck]] = [:]

  init(options: HostOptions) { self.options = options }

  func add(_ body: @escaping Body) { bodies.append(body) }

  /// Keeps a module out of service from now on if it isn't what the program expects.
  func hold(to check: InterfaceCheck) { interfaces[check.module, default: [:]][check.id] = check }

  /// Returns the module with the additions of all observers, in the order in which they were added.
  ///
  /// The additions to a module in Lua are subject to its quota too.
  ///
  /// - Throws: ``ObserverRefusal``
  func observed(_ module: Module) throws(ObserverRefusal) -> Module {
    let observed = try added(to: module)
    for check in (interfaces[module.name.text] ?? [:]).values {
      if let problem = check.problem(with: observed) { throw .unfit(problem) }
    }
    return observed
  }

  private func added(to module: Module) throws(ObserverRefusal) -> Module {
    guard !bodies.isEmpty else { return module }
    var observed = module
    for body in bodies {
      do {
        try body(&observed)
      } catch {
        throw .refused("\(error)")
      }
      guard observed.name == module.name else { throw .renamed(to: observed.name) }
    }
    if let refusal = observed.refusalOfState(within: options.loading.sliceQuota(of: module.name)) {
      throw .state(refusal)
    }
    return observed.held { [options] in options.loading.sliceQuota(of: $0) }
  }
}
