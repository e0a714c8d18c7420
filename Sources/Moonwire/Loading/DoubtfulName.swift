public import MoonSession
public import MoonValues

/// A name in a module's files that is most likely a mistake, as far as the files show.
public struct DoubtfulName: Hashable, Sendable {
  /// What is wrong with it.
  public enum Reason: Hashable, Sendable {
    /// It is a global that the module assigns, which is lost when the module is reloaded.
    case assignedGlobal
    /// It is a global that nothing assigns.
    case unassignedGlobal
    /// It is a field of the state that neither the initial state nor any file of the module has.
    case unknownField
  }

  /// The module whose file it is in, or whose library.
  public let module: ModuleName
  /// The name, as a line `-- moonwire: allow NAME` has it.
  public let name: String
  /// Where it stands first.
  public let place: SourcePlace
  /// What is wrong with it.
  public let reason: Reason
  /// What may be meant.
  public let nearest: String?
}

extension DoubtfulName {
  /// What makes two of them the same mistake.
  struct Identity: Hashable {
    let name: String
    let place: SourcePlace
  }

  var identity: Identity { Identity(name: name, place: place) }
}

extension DoubtfulName: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch reason {
    case .assignedGlobal: "module \(module) assigns a global: \(name)"
    case .unassignedGlobal: "module \(module) uses a global that nothing assigns: \(name)"
    case .unknownField: "module \(module) reads state.\(name), which nothing puts there"
    }
  }
}
