public import MoonSession
import MoonValues

/// The functions that see each module before it is put in service.
///
/// Confined to the host.
final class ModuleObservers {
  /// A function that may add registrations to a module.
  typealias Body = @Sendable (inout Module) throws -> Void

  private let options: HostOptions
  private var bodies: [Body] = []

  init(options: HostOptions) { self.options = options }

  func add(_ body: @escaping Body) { bodies.append(body) }

  /// Returns the module with the additions of all observers, in the order in which they were added.
  ///
  /// What they add to a module in Lua is held to its quota of slices as well.
  ///
  /// - Throws: ``ObserverRefusal``
  func observed(_ module: Module) throws(ObserverRefusal) -> Module {
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
    if let state = observed.state,
      let refusal = options.sliceQuota(of: module.name).refusal(ofWhole: state)
    {
      throw .state(refusal)
    }
    return observed.held { [options] in options.sliceQuota(of: $0) }
  }
}

/// The reason that an observer of modules keeps a module out of service.
public enum ObserverRefusal: Error, Sendable, Equatable {
  /// The observer threw an error with this description.
  case refused(String)
  /// The observer put another module in the module's place.
  case renamed(to: ModuleName)
  /// The state that the observer gave to the module can't be its slice.
  case state(SliceRefusal)
}

extension ObserverRefusal: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .refused(let reason): "an observer of modules refuses it: \(reason)"
    case .renamed(let name): "an observer of modules put the module \(name) in its place"
    case .state(let refusal):
      "an observer of modules gave it a state that can't be used: \(refusal)"
    }
  }
}

extension ModuleProblem {
  /// The problem of a module that an observer keeps out.
  init(_ refusal: ObserverRefusal, of generation: Generation) {
    self.init(
      module: generation.name, place: SourcePlace(file: generation.file),
      reason: .keptOut(refusal))
  }
}
