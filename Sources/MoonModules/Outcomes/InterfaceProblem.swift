public import MoonValues

/// The reason that a module isn't what a program expects of it.
public struct InterfaceProblem: Error, Sendable, Equatable {
  /// What doesn't fit.
  public enum Reason: Sendable, Equatable {
    /// There is no module of the name; `nearest` has a similar spelling.
    case noModule(nearest: String?)
    /// The module isn't in service, though its files are there.
    case notInService(ModuleAbsence)
    /// The module has no such action; `nearest` is one with a similar spelling.
    case noAction(String, nearest: String?)
    /// The module has no such command; `nearest` is one with a similar spelling.
    case noCommand(String, nearest: String?)
    /// An action or a command of the module needs a field that the program doesn't give.
    case ungiven(field: String, of: String)
    /// An action or a command of the module has no such field.
    case unknown(field: String, of: String)
    /// A field of an action or of a command has other types in the module and in the program.
    case otherType(field: String, of: String, module: String, program: String)
    /// The slice can't be read as the program reads it.
    case state(field: String?, reason: String)
  }

  /// The Swift type that says what the program expects.
  public let interface: String
  /// The name of the module.
  public let module: String
  /// What doesn't fit.
  public let reason: Reason
  /// The place of what doesn't fit; nil if it isn't known.
  public let place: SourcePlace?

  package init(_ interface: String, of module: String, _ reason: Reason, at place: SourcePlace?) {
    self.interface = interface
    self.module = module
    self.reason = reason
    self.place = place
  }

  /// A word that is written at the place, for a search.
  package var word: String? {
    switch reason {
    case .state(let field, _): field
    default: nil
    }
  }
}

extension InterfaceProblem: CustomStringConvertible {
  /// One sentence: the place if it is known, and what doesn't fit.
  public var description: String {
    switch reason {
    case .noModule, .notInService: phrase
    default: (place.map { "\($0): " } ?? "") + "module \(module) can't be used: \(phrase)"
    }
  }

  /// What doesn't fit, as a phrase.
  package var phrase: String {
    let problem =
      switch reason {
      case .noModule(let nearest):
        "there is no module \(module)" + (nearest.map { "; did you mean \($0)?" } ?? "")
      case .notInService(let absence): "module \(module) isn't in service: \(absence)"
      case .noAction(let type, let nearest):
        "it has no action \(type)" + (nearest.map { "; did you mean \($0)?" } ?? "")
      case .noCommand(let name, let nearest):
        "it has no command \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
      case .ungiven(let field, let owner):
        "\(owner) needs '\(field)', which the program doesn't give"
      case .unknown(let field, let owner): "\(owner) has no field '\(field)'"
      case .otherType(let field, let owner, let found, let expected):
        "'\(field)' of \(owner) is \(found) in the module, and \(expected) in the program"
      case .state(_, let reason): "its slice can't be read: \(reason)"
      }
    return "\(problem) (expected by \(interface))"
  }
}
