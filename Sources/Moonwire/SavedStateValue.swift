import MoonNavigation
public import MoonSession
import MoonStore
public import MoonValues

/// The form of a saved state as plain data.
///
/// It is a map with an entry for each slice, under the module's name. A slice that is put aside has
/// the key `name@version`, and a further one of the same version `name@version#2`. The header under
/// `$moonwire` holds the number of the format and the version of each module.
extension SavedState {
  /// The number of the current format.
  public static let format: Int64 = 2

  /// The key of the header.
  public static let headerKey: Key = "$moonwire"

  /// The state as plain data.
  ///
  /// - Complexity: O(modules).
  public var value: Value {
    var map = slices
    let versions = Map(self.versions.map { (.string(Text($0.key.text)), .int($0.value)) })
    map[Self.headerKey] = ["format": .int(Self.format), "versions": .map(versions)]
    var counts: [String: Int] = [:]
    for slice in keptSlices {
      let key = "\(slice.module)@\(slice.version)"
      let count = counts[key, default: 0] + 1
      counts[key] = count
      map[.string(Text(count == 1 ? key : "\(key)#\(count)"))] = slice.value
    }
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
    let header = map[Self.headerKey]
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
        let slice = KeptSlice(module: place.module, version: version, value: slice)
        kept.append((place.number, slice))
      } else {
        slices[key] = slice
      }
    }
    let versions = try header.map { header throws(RestoreError) in try Self.versions(header) }
    let names = slices.keys.compactMap { key in
      if case .string(let name) = key { ModuleName(name.string) } else { ModuleName?.none }
    }
    let isInUse = slices[NavigationState.key] != nil
    self.init(
      slices: slices, versions: versions ?? [:],
      keptSlices: kept.sorted {
        ($0.slice.module, $0.slice.version, $0.number)
          < ($1.slice.module, $1.slice.version, $1.number)
      }.map(\.slice),
      startedModules: versions.map { Set($0.keys) } ?? (isInUse ? nil : Set(names)))
  }

  private static func checkNavigation(_ slice: Value) throws(RestoreError) {
    do throws(NavigationValueError) {
      _ = try NavigationTree(slice)
    } catch {
      throw .navigation(error)
    }
  }

  private static func versions(_ header: Value) throws(RestoreError) -> [ModuleName: Int64] {
    guard let format = header["format"]?.intValue, format > 0 else {
      throw .malformedHeader("$moonwire.format")
    }
    guard format <= Self.format else { throw .laterFormat(format) }
    guard let entries = header["versions"]?.mapValue else {
      throw .malformedHeader("$moonwire.versions")
    }
    var versions: [ModuleName: Int64] = [:]
    for (key, version) in entries {
      guard case .string(let text) = key, let name = ModuleName(text.string),
        let version = version.intValue
      else { throw .malformedHeader("$moonwire.versions.\(key)") }
      versions[name] = version
    }
    return versions
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
