package import MoonServiceKit
package import MoonValues

/// A registration in service: its owner, its identity, and its place in the order of all
/// registrations.
///
/// This is a class so that a lookup copies a reference and not the contents.
package class BoundRegistration {
  package let owner: ModuleName
  /// The name of the owner.
  package let ownerText: Text
  package let registration: Registration
  /// The place in the order of modules, and within one in the order of its registrations.
  package let order: Int
  /// Whether its code is in Swift, and so no budget ends it.
  package let isSwift: Bool
  /// The part of the seeds of its calls that differs from those of other registrations.
  private(set) lazy var salt = Text("\(owner):\(registration.kind):\(registration.name)").stableHash
  /// The effect that stands for it when its code runs as a task, once there has been one.
  final var taskEffect: BoundRegistration?

  package init(_ registration: Registration, of owner: ModuleName, order: Int = 0) {
    self.owner = owner
    ownerText = Text(owner.text)
    self.registration = registration
    self.order = order
    isSwift = owner != .navigation && !(registration.place?.file.hasSuffix(".lua") ?? false)
  }
}
