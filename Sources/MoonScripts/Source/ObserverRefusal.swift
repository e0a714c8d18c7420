public import MoonModules
public import MoonServiceKit

/// The reason that an observer of modules keeps a module out of service.
public enum ObserverRefusal: Error, Sendable, Equatable {
  /// The observer threw an error with this description.
  case refused(String)
  /// The observer put another module in the module's place.
  case renamed(to: ModuleName)
  /// The state that the observer gave to the module can't be its slice.
  case state(SliceRefusal)
  /// The module isn't what the program expects of it.
  case unfit(InterfaceProblem)
}

extension ObserverRefusal: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .refused(let reason): "an observer of modules refuses it: \(reason)"
    case .renamed(let name): "an observer of modules put the module \(name) in its place"
    case .state(let refusal):
      "an observer of modules gave it a state that can't be used: \(refusal)"
    case .unfit(let problem): problem.phrase
    }
  }
}
