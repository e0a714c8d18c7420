import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonValues

/// A registration that may never be called, because nothing in the modules' files has the name that
/// it refers to; or a schedule of an action that no module knows.
public struct DeadName: Hashable, Sendable {
  /// The reason that the registration may never be called, or that its action fails.
  package enum Reason: Hashable, Sendable {
    /// There is no module of this name.
    case noModule(String)
    /// No module declares this action, reduces it as its own, or contains its type as a string.
    case noAction(String)
    /// No module knows the action that the schedule or the key dispatches.
    case unknownAction(String)
    /// No module has a route with this pattern.
    case noRoute(String)
    /// No route takes the URL of a route's parent.
    case noParent(String)
    /// No route takes the URL that the key opens.
    case noURL(String)
    /// The keys do something else, as a module has said at a place, whose key comes first.
    case takenKey(String, by: ModuleName, at: SourcePlace?)
    /// The stage keeps the key for itself.
    case reservedKey(String)
    /// No module presents screens with this kind of routing option.
    case noOption(String)
    /// No route of the module makes screens of this kind.
    case noScreen(kind: String, module: String)
    /// The module has a view of its own for the kind.
    case ownView(kind: String, module: String)
    /// No view of the module has this slot.
    case noSlot(String, module: String)
  }

  /// The module that the registration belongs to.
  package let module: ModuleName
  /// The registration.
  package let registration: Registration
  /// The reason.
  package let reason: Reason
  /// A known name with similar spelling.
  package let nearest: String?

  /// The name as it appears in a line `-- moonwire: allow NAME`.
  package var name: String {
    switch reason {
    case .noModule(let name), .noAction(let name), .unknownAction(let name), .noRoute(let name),
      .noParent(let name), .noURL(let name), .noOption(let name), .noSlot(let name, _):
      name
    // A name has no spaces.
    case .takenKey(let keys, _, _), .reservedKey(let keys): keys.replacing(" ", with: "_")
    case .noScreen(let kind, _), .ownView(let kind, _): kind
    }
  }
}

extension DeadName: CustomStringConvertible {
  /// One sentence: the registration and the reason.
  public var description: String {
    let subject = "\(registration.kind.rawValue) \(registration.name) of module \(module)"
    if case .noParent = reason { return "\(subject) has no parent: " + because }
    if case .reservedKey = reason { return "\(subject) does nothing on the stage: " + because }
    if case .takenKey = reason { return "\(subject) does nothing: " + because }
    if reason.failsAlways { return "\(subject) fails each time: " + because }
    return "\(subject) may never be called: " + because
  }

  private var because: String {
    switch reason {
    case .noModule(let name): "there is no module \(name)"
    case .noAction(let type): "no module has an action \(type)"
    case .unknownAction(let type): "no module knows the action \(type)"
    case .noOption(let kind): "no module presents screens with the option \(kind)"
    case .noRoute(let pattern): "no route has the pattern \(pattern)"
    case .noParent(let url), .noURL(let url): "no route takes \(url)"
    case .takenKey(let keys, let owner, let place):
      "\(keys) of module \(owner) comes first" + (place.map { " (\($0))" } ?? "")
    case .reservedKey(let key): "\(key) has the same meaning in all apps there"
    case .noScreen(let kind, let module): "no route of module \(module) has the kind \(kind)"
    case .ownView(let kind, let module):
      "module \(module) has a view of its own for \(kind), which may offer slots"
    case .noSlot(let slot, let module): "no view of module \(module) has a slot \(slot)"
    }
  }
}

extension DeadName.Reason {
  /// Whether the registration is called, but can't do what it is for.
  fileprivate var failsAlways: Bool {
    switch self {
    case .unknownAction, .noURL, .noOption: true
    default: false
    }
  }
}
