import MoonModules
import MoonServiceKit

/// The faults of view extensions that have been reported.
///
/// A screen is drawn often, and an extension that fails does so at every drawing.
struct ExtensionFaults {
  private struct Identity: Hashable {
    let owner: ModuleName
    let registration: Registration
  }

  /// The last fault of each extension; a reload changes the generation in it.
  private var faults: [Identity: Fault] = [:]

  /// Notes a fault; returns whether it is a new one.
  mutating func note(_ fault: Fault, of bound: Bound<ViewExtension>) -> Bool {
    let identity = Identity(owner: bound.owner, registration: bound.registration)
    guard faults[identity] != fault else { return false }
    faults[identity] = fault
    return true
  }

  /// Forgets the faults of an extension that works.
  mutating func forget(_ bound: Bound<ViewExtension>) {
    guard !faults.isEmpty else { return }
    faults[Identity(owner: bound.owner, registration: bound.registration)] = nil
  }
}
