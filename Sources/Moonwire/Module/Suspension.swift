/// Counts what goes wrong with modules, and tells which ones are to be left alone.
///
/// Confined to the host. It costs nothing while nothing is wrong.
struct Suspension {
  /// How many faults in a row a registration may have.
  static let faultsMax = 20
  /// As how many faults one counts that ended the machine: each has cost the host a whole budget.
  static let killWeight = 4

  private struct Source: Hashable {
    let module: ModuleName
    let registration: Registration
  }

  /// The weight of the faults in a row, by where they come from.
  private var rows: [Source: Int] = [:]
  private(set) var modules: Set<ModuleName> = []

  /// Whether there is anything to forget.
  var isIdle: Bool { rows.isEmpty }

  /// Counts a fault; true if it was one too many.
  mutating func count(
    _ module: ModuleName, _ registration: Registration, weight: Int, max: Int
  ) -> Bool {
    guard max > 0, !modules.contains(module) else { return false }
    let source = Source(module: module, registration: registration)
    rows[source, default: 0] += weight
    guard rows[source, default: 0] >= max else { return false }
    modules.insert(module)
    return true
  }

  /// Ends a row: the registration has done its work.
  mutating func forget(_ module: ModuleName, _ registration: Registration) {
    rows[Source(module: module, registration: registration)] = nil
  }

  /// Gives a module another chance; false if it needs none.
  mutating func resume(_ module: ModuleName) -> Bool {
    rows = rows.filter { $0.key.module != module }
    return modules.remove(module) != nil
  }
}
