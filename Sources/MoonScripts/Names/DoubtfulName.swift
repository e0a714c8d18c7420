package import MoonServiceKit
package import MoonValues

/// A name in a module's files that stands for a likely mistake, as far as the files show.
public struct DoubtfulName: Hashable, Sendable {
  /// The reason that the name is doubtful.
  package enum Reason: Hashable, Sendable {
    /// The name is a global that the module assigns, which is lost when the module is reloaded.
    case assignedGlobal
    /// The name is a global that no code assigns.
    case unassignedGlobal
    /// The name is a field of the state that neither the initial state nor any file of the module
    /// has.
    case unknownField
    /// The name is the kind of a view that never returns anything.
    case returnsNothing
    /// The name is an action that the module dispatches or puts on a button, and that no module
    /// knows.
    case unknownAction
    /// The name is a URL that the module puts on a button, and that no route takes.
    case unknownURL
    /// The name is an action that the module declares, and that no module reduces, maps or answers.
    case unheardAction
    /// The name is a command that the module calls, and that no module has.
    case unknownCommand
  }

  /// The module that the file belongs to, or that requires the library.
  package let module: ModuleName
  /// The name, as a line `-- moonwire: allow NAME` has it.
  package let name: String
  /// The place of its first occurrence.
  package let place: SourcePlace
  /// The reason that the name is doubtful.
  package let reason: Reason
  /// A known name with similar spelling.
  package let nearest: String?
  /// The column of the occurrence, from 1; nil if it isn't known.
  package var column: Int?
}

extension DoubtfulName {
  /// The parts by which two names are the same mistake.
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
    case .returnsNothing: "view \(name) of module \(module) returns nothing"
    case .unknownAction: "module \(module) makes an action that no module knows: \(name)"
    case .unknownURL: "module \(module) has a button to a URL that no route takes: \(name)"
    case .unheardAction: "nobody handles the action \(name) of module \(module)"
    case .unknownCommand: "module \(module) calls a command that no module has: \(name)"
    }
  }
}
