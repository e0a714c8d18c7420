package import MoonServiceKit

/// The counts of modules' faults, which decide when a module is suspended.
///
/// A module is suspended for the faults of one registration, or for those of all its registrations
/// together. Confined to the host. Costs nothing while no module has failed.
package struct Suspension {
  /// The default number of recent calls that may fail.
  package static let faultsMax = 20
  /// The number of recent calls that are considered.
  package static let callCount = FaultWindow.callCount

  /// The recent calls of one module.
  private struct Record {
    var all = FaultWindow()
    var registrations: [Registration: FaultWindow] = [:]

    /// Whether no recent call has failed.
    var isClean: Bool { all.faultCount == 0 && registrations.isEmpty }

    mutating func recordSuccess() { all.recordSuccess() }

    mutating func recordSuccess(_ registration: Registration) {
      all.recordSuccess()
      guard var window = registrations[registration] else { return }
      window.recordSuccess()
      registrations[registration] = window.faultCount == 0 ? nil : window
    }

    mutating func recordFault(_ registration: Registration?, isKill: Bool) -> FaultWindow {
      all.recordFault(isKill: isKill)
      guard let registration else { return all }
      registrations[registration, default: FaultWindow()].recordFault(isKill: isKill)
      let own = registrations[registration] ?? FaultWindow()
      return own.weight >= all.weight ? own : all
    }
  }

  private var records: [ModuleName: Record] = [:]
  private var totals: [ModuleName: Int] = [:]
  package private(set) var modules: Set<ModuleName> = []

  package init() {}

  /// Returns the number of faults that a module has had since it was first loaded.
  package func total(of module: ModuleName) -> Int { totals[module] ?? 0 }

  /// Returns the number of a module's recent calls that failed.
  package func recent(of module: ModuleName) -> Int { records[module]?.all.faultCount ?? 0 }

  /// Records a call that failed.
  ///
  /// If the module is suspended for it, returns how many recent calls have failed, else nil.
  ///
  /// `registration` is nil if another module's failed, for an action that this one dispatched.
  /// `max` is the number that may fail, at most ``callCount``; 0 means all.
  package mutating func recordFault(
    of module: ModuleName, in registration: Registration?, isKill: Bool, max: Int
  ) -> Int? {
    totals[module, default: 0] += 1
    let window = records[module, default: Record()].recordFault(registration, isKill: isKill)
    guard max > 0, window.weight >= min(max, Self.callCount), modules.insert(module).inserted
    else { return nil }
    return window.faultCount
  }

  /// Records a call that failed for an action which the module had no part in: it is counted, but
  /// no module is suspended for it.
  package mutating func recordOthersFault(of module: ModuleName) {
    totals[module, default: 0] += 1
  }

  /// Records that an action of a module was carried out.
  package mutating func recordSuccess(ofActionBy module: ModuleName) {
    guard !records.isEmpty, records[module] != nil else { return }
    records[module]?.recordSuccess()
    if records[module]?.isClean == true { records[module] = nil }
  }

  /// Records a call that succeeded.
  package mutating func recordSuccess(of module: ModuleName, in registration: Registration) {
    guard !records.isEmpty, records[module] != nil else { return }
    records[module]?.recordSuccess(registration)
    if records[module]?.isClean == true { records[module] = nil }
  }

  /// Suspends some modules and no others, and forgets all faults.
  package mutating func suspend(exactly modules: Set<ModuleName>) {
    records = [:]
    self.modules = modules
  }

  /// Ends a module's suspension; false if it isn't suspended.
  package mutating func resume(_ module: ModuleName) -> Bool {
    records[module] = nil
    return modules.remove(module) != nil
  }
}
