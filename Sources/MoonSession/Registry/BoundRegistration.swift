/// A registration in service: its owner, its identity, and its place in the order of all
/// registrations.
///
/// This is a class so that a lookup copies a reference and not the contents.
package class BoundRegistration {
  package let owner: ModuleName
  package let registration: Registration
  /// The place in the order of modules, and within one in the order of its registrations.
  let order: Int

  init(_ registration: Registration, of owner: ModuleName, order: Int = 0) {
    self.owner = owner
    self.registration = registration
    self.order = order
  }
}
