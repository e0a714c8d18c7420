import MoonServiceKit
package import MoonValues

/// A registration in service, with its function.
package final class Bound<Part: Registrable>: BoundRegistration {
  package let part: Part
  /// The key of its owner's slice.
  package let slice: Key
  /// The value used if the owner's slice is missing.
  package let firstSlice: Value

  package init(_ part: Part, of module: Module, order: Int = 0) {
    self.part = part
    slice = .string(Text(module.name.text))
    firstSlice = module.state ?? .map(Map())
    super.init(part.registration, of: module.name, order: order)
  }

  /// Binds a registration of the host's own.
  package init(host part: Part) {
    self.part = part
    slice = .string(Text(ModuleName.navigation.text))
    firstSlice = .map(Map())
    super.init(part.registration, of: .navigation)
  }

  /// Binds a part that stands for another registration.
  fileprivate init(_ part: Part, for other: BoundRegistration) {
    self.part = part
    slice = .string(other.ownerText)
    firstSlice = .map(Map())
    super.init(part.registration, of: other.owner, order: other.order)
  }

  /// Returns the registrations of one kind of all modules, in order.
  package static func all(_ modules: [Module], _ parts: (Module) -> [Part]) -> [Bound<Part>] {
    var all: [Bound<Part>] = []
    for module in modules {
      for part in parts(module) { all.append(Bound(part, of: module, order: all.count)) }
    }
    return all
  }
}

extension BoundRegistration {
  /// The effect that stands for the registration when its code runs as a task, made once.
  package var effect: Bound<Effect> {
    if let made = taskEffect as? Bound<Effect> { return made }
    let effect = Bound(Effect(for: registration), for: self)
    taskEffect = effect
    return effect
  }
}
