public import MoonSession
import MoonStore
import MoonValues

/// A registration that may never be called: the name it goes by stands for nothing, as far as the
/// files of the modules show.
public struct DeadName: Hashable, Sendable {
  /// Why it may never be called.
  public enum Reason: Hashable, Sendable {
    /// There is no module of that name.
    case noModule(String)
    /// No module declares that action, reduces it as its own, or writes its type in a text.
    case noAction(String)
    /// No module has a route with that pattern.
    case noRoute(String)
    /// No route of that module makes screens of that kind.
    case noScreen(kind: String, module: String)
    /// That module has a view of its own for the kind.
    case ownView(kind: String, module: String)
    /// No view of that module has that slot.
    case noSlot(String, module: String)
  }

  /// The module whose registration it is.
  public let module: ModuleName
  /// The registration.
  public let registration: Registration
  /// Why it may never be called.
  public let reason: Reason
  /// What may be meant.
  public let nearest: String?

  /// The name, as a line `-- moonwire: allow NAME` has it.
  public var name: String {
    switch reason {
    case .noModule(let name), .noAction(let name), .noRoute(let name), .noSlot(let name, _): name
    case .noScreen(let kind, _), .ownView(let kind, _): kind
    }
  }
}

extension DeadName: CustomStringConvertible {
  /// One sentence: what may never be called, and why.
  public var description: String {
    let subject = "\(registration.kind.rawValue) \(registration.name) of module \(module)"
    return "\(subject) may never be called: " + because
  }

  private var because: String {
    switch reason {
    case .noModule(let name): "there is no module \(name)"
    case .noAction(let type): "no module has an action \(type)"
    case .noRoute(let pattern): "no route has the pattern \(pattern)"
    case .noScreen(let kind, let module): "no route of module \(module) has the kind \(kind)"
    case .ownView(let kind, let module):
      "module \(module) has a view of its own for \(kind), which may offer slots"
    case .noSlot(let slot, let module): "no view of module \(module) has a slot \(slot)"
    }
  }
}
