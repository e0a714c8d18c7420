/// Counts what goes wrong with modules, and tells which ones are to be left alone.
///
/// Confined to the host. It costs nothing while nothing is wrong.
package struct Suspension {
  /// How many faults in a row a registration may have.
  package static let faultsMax = 20
  /// As how many faults one counts that ended the machine: each has cost the host a whole budget.
  static let killWeight = 4

  private struct Source: Hashable {
    let module: ModuleName
    let registration: Registration
  }

  /// Faults with no success in between.
  private struct Row {
    var count = 0
    /// The same with the heavy ones counted as several.
    var weight = 0
  }

  private var rows: [Source: Row] = [:]
  private var totals: [ModuleName: Int] = [:]
  package private(set) var modules: Set<ModuleName> = []

  package init() {}

  /// Whether there is anything to forget.
  var isIdle: Bool { rows.isEmpty }

  /// How many faults a module has had since it first came.
  package func total(of module: ModuleName) -> Int { totals[module] ?? 0 }

  /// How many faults a module's worst registration has had in a row.
  package func inARow(of module: ModuleName) -> Int {
    rows.lazy.filter { $0.key.module == module }.map(\.value.count).max() ?? 0
  }

  /// Counts a fault; returns how many it makes in a row if that is too many, else nil.
  mutating func count(
    _ module: ModuleName, _ registration: Registration, weight: Int, max: Int
  ) -> Int? {
    totals[module, default: 0] += 1
    let source = Source(module: module, registration: registration)
    var row = rows[source] ?? Row()
    row.count += 1
    row.weight += weight
    rows[source] = row
    guard max > 0, row.weight >= max, modules.insert(module).inserted else { return nil }
    return row.count
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
