/// A registration in service: whose it is, what names it, and its place in the order of all.
///
/// A class, so that looking one up copies a reference and not all that it holds.
package class BoundRegistration {
  package let owner: ModuleName
  package let registration: Registration
  /// Counted in the order of modules, and within one in that of its registrations.
  let order: Int

  init(_ registration: Registration, of owner: ModuleName, order: Int = 0) {
    self.owner = owner
    self.registration = registration
    self.order = order
  }
}
