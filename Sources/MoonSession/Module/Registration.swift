public import MoonStore
public import MoonValues

/// What names a registration: its kind, its name among those of the kind, and its place.
public struct Registration: Sendable, Hashable {
  /// What kind of registration it is.
  public let kind: RegistrationKind
  /// What tells it from others of its kind: the pattern of a reducer, the path of an observer.
  public let name: String
  /// Where it was written; nil for Swift.
  public let place: SourcePlace?

  /// Names a registration.
  public init(_ kind: RegistrationKind, _ name: String, place: SourcePlace? = nil) {
    self.kind = kind
    self.name = name
    self.place = place
  }
}

extension Registration: CustomStringConvertible {
  /// The kind and the name: `reducer counter/add`, `on_start`.
  public var description: String {
    kind.isSingular ? kind.rawValue : "\(kind.rawValue) \(name)"
  }
}

/// One thing that a module registers.
public protocol Registrable {
  /// What names it.
  var registration: Registration { get }
}
