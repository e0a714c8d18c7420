/// Counts what goes wrong with modules, and tells which ones are to be left alone.
///
/// A module is suspended for what one of its registrations does, or for what all of them do
/// together. Confined to the host. It costs nothing while nothing is wrong.
package struct Suspension {
  /// How many of the last calls may fail.
  package static let faultsMax = 20
  /// How many calls are looked back on.
  package static let callCount = FaultWindow.callCount

  /// What has gone wrong with a module of late.
  private struct Record {
    var all = FaultWindow()
    var registrations: [Registration: FaultWindow] = [:]

    /// Whether everything has gone well.
    var isClean: Bool { all.faultCount == 0 && registrations.isEmpty }

    mutating func noteSuccess(_ registration: Registration) {
      all.noteSuccess()
      guard var window = registrations[registration] else { return }
      window.noteSuccess()
      registrations[registration] = window.faultCount == 0 ? nil : window
    }

    mutating func noteFault(_ registration: Registration, isKill: Bool) -> FaultWindow {
      all.noteFault(isKill: isKill)
      registrations[registration, default: FaultWindow()].noteFault(isKill: isKill)
      let own = registrations[registration] ?? FaultWindow()
      return own.weight >= all.weight ? own : all
    }
  }

  private var records: [ModuleName: Record] = [:]
  private var totals: [ModuleName: Int] = [:]
  package private(set) var modules: Set<ModuleName> = []

  package init() {}

  /// Whether nothing has gone wrong of late.
  var isIdle: Bool { records.isEmpty }

  /// How many faults a module has had since it first came.
  package func total(of module: ModuleName) -> Int { totals[module] ?? 0 }

  /// How many of a module's last calls failed.
  package func recent(of module: ModuleName) -> Int { records[module]?.all.faultCount ?? 0 }

  /// Counts a call that failed; returns how many of the last ones did if the module is suspended
  /// for it, else nil.
  ///
  /// `max` is how many may, and no more than ``callCount``; 0 for all.
  mutating func noteFault(
    of module: ModuleName, in registration: Registration, isKill: Bool, max: Int
  ) -> Int? {
    totals[module, default: 0] += 1
    let window = records[module, default: Record()].noteFault(registration, isKill: isKill)
    guard max > 0, window.weight >= min(max, Self.callCount), modules.insert(module).inserted
    else { return nil }
    return window.faultCount
  }

  /// Counts a call that went well.
  mutating func noteSuccess(of module: ModuleName, in registration: Registration) {
    guard records[module] != nil else { return }
    records[module]?.noteSuccess(registration)
    if records[module]?.isClean == true { records[module] = nil }
  }

  /// Gives a module another chance; false if it needs none.
  mutating func resume(_ module: ModuleName) -> Bool {
    records[module] = nil
    return modules.remove(module) != nil
  }
}
