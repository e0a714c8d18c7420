public import MoonActions
package import MoonServiceKit
public import MoonValues

/// The identity of a registration: its kind, its name among those of the kind, and its place.
public struct Registration: Sendable, Hashable {
  /// The kind of registration.
  public let kind: RegistrationKind
  /// The name among registrations of the kind: a reducer's pattern, an observer's path.
  public let name: String
  /// The place in the source where it is written; nil for Swift.
  public let place: SourcePlace?

  /// Makes an identity.
  package init(_ kind: RegistrationKind, _ name: String, place: SourcePlace? = nil) {
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

/// A registration with the module that it belongs to.
package struct ListedRegistration: Sendable, Equatable {
  /// The module.
  package let module: ModuleName
  /// The registration.
  package let registration: Registration

  package init(module: ModuleName, registration: Registration) {
    self.module = module
    self.registration = registration
  }
}

/// A registration of a module.
package protocol Registrable {
  /// The kind, name and place of the registration.
  var registration: Registration { get }
}
