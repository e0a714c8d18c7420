import MoonModules
import MoonNavigation
import MoonServiceKit
public import MoonSession
public import MoonValues

/// The form of a saved state as plain data.
///
/// It is a map with an entry for each slice, under the module's name. A slice that is put aside has
/// the key `name@version`, and a further one of the same version `name@version#2`. The header under
/// `$moonwire` holds the number of the format, the version of each module, the shapes of slices by
/// their keys, and the modules that haven't started.
extension SavedState {
  /// The number of the current format.
  package static let format: Int64 = 2

  /// The key of the header.
  package static let headerKey: Key = "$moonwire"

  /// The state as plain data.
  ///
  /// - Complexity: O(modules).
  public var value: Value {
    var map = slices
    let versions = Map(self.versions.map { (.string(Text($0.key.text)), .int($0.value)) })
    var shapes = Map(
      self.shapes.map { (Key.string(Text($0.key.text)), $0.value.value) })
    var counts: [String: Int] = [:]
    for slice in keptSlices {
      let key = "\(slice.module)@\(slice.version)"
      let count = counts[key, default: 0] + 1
      counts[key] = count
      let place = Key.string(Text(count == 1 ? key : "\(key)#\(count)"))
      map[place] = slice.value
      shapes[place] = slice.shape?.value
    }
    var header: Map = ["format": .int(Self.format), "versions": .map(versions)]
    if !shapes.isEmpty { header["shapes"] = .map(shapes) }
    let unstarted = self.versions.keys.filter { !hasStarted($0) }.sorted()
    if !unstarted.isEmpty {
      header["unstarted"] = .list(List(unstarted.map { .string(Text($0.text)) }))
    }
    map[Self.headerKey] = .map(header)
    return .map(map)
  }

  /// Reads plain data.
  ///
  /// Without the header `$moonwire`, every slice has version 1 and its module counts as started. If
  /// there is a navigation, so do all other modules.
  ///
  /// - Throws: ``RestoreError``
  public init(_ value: Value) throws(RestoreError) {
    guard case .map(var map) = value else { throw .notAState }
    let header = try map[Self.headerKey].map { value throws(RestoreError) in
      try SavedStateHeader(value)
    }
    map[Self.headerKey] = nil
    var slices = Map()
    var kept: [(number: Int, slice: KeptSlice)] = []
    for (key, slice) in map {
      guard case .string(let name) = key else { throw .unknownSlice(key.description) }
      if key == NavigationState.key {
        try Self.checkNavigation(slice)
        slices[key] = slice
        continue
      }
      guard let place = Place(name.string) else { throw .unknownSlice(name.string) }
      guard slice.mapValue != nil || slice.listValue != nil else { throw .notASlice(name.string) }
      if let version = place.version {
        let slice = KeptSlice(
          module: place.module, version: version, value: slice, shape: header?.shapes[key])
        kept.append((place.number, slice))
      } else {
        slices[key] = slice
      }
    }
    let names = slices.keys.compactMap { key in
      if case .string(let name) = key { ModuleName(name.string) } else { ModuleName?.none }
    }
    let isInUse = slices[NavigationState.key] != nil
    self.init(
      slices: slices, versions: header?.versions ?? [:],
      shapes: Dictionary(
        names.compactMap { name in header?.shapes[.string(Text(name.text))].map { (name, $0) } },
        uniquingKeysWith: { first, _ in first }),
      keptSlices: kept.sorted {
        ($0.slice.module, $0.slice.version, $0.number)
          < ($1.slice.module, $1.slice.version, $1.number)
      }.map(\.slice),
      startedModules: header?.startedModules ?? (isInUse ? nil : Set(names)))
  }

  private static func checkNavigation(_ slice: Value) throws(RestoreError) {
    do throws(NavigationValueError) {
      _ = try NavigationTree(slice)
    } catch {
      throw .navigation(error)
    }
  }

  /// The parts of a slice's key: `todo`, `todo@2` or `todo@2#3`.
  private struct Place {
    let module: ModuleName
    /// The version of a slice that is put aside.
    var version: Int64?
    /// The number among slices of the version, from 1.
    var number = 1

    init?(_ key: String) {
      let parts = key.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard let module = ModuleName(String(parts[0])) else { return nil }
      self.module = module
      guard parts.count == 2 else { return }
      let numbers = parts[1].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard let version = Int64(numbers[0]) else { return nil }
      self.version = version
      guard numbers.count == 2 else { return }
      guard let number = Int(numbers[1]) else { return nil }
      self.number = number
    }
  }
}
