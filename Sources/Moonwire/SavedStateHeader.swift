import MoonModules
import MoonServiceKit
import MoonSession
import MoonValues

/// The header of a saved state, apart from the format's number.
struct SavedStateHeader {
  let versions: [ModuleName: Int64]
  /// The shapes of slices by their keys in the state.
  let shapes: [Key: StateShape]
  /// The modules of ``versions`` that have started.
  let startedModules: Set<ModuleName>

  /// Reads plain data.
  ///
  /// Files of earlier programs have neither shapes nor a list of modules that haven't started.
  ///
  /// - Throws: ``RestoreError``
  init(_ header: Value) throws(RestoreError) {
    guard let format = header["format"]?.intValue, format > 0 else {
      throw .malformedHeader("$moonwire.format")
    }
    guard format <= SavedState.format else { throw .laterFormat(format) }
    guard let entries = header["versions"]?.mapValue else {
      throw .malformedHeader("$moonwire.versions")
    }
    versions = try Self.versions(entries)
    shapes = try Self.shapes(header["shapes"] ?? .map(Map()))
    startedModules = Set(versions.keys).subtracting(
      try Self.names(header["unstarted"] ?? .list(List())))
  }

  private static func versions(_ entries: Map) throws(RestoreError) -> [ModuleName: Int64] {
    var versions: [ModuleName: Int64] = [:]
    for (key, version) in entries {
      guard case .string(let text) = key, let name = ModuleName(text.string),
        let version = version.intValue
      else { throw .malformedHeader("$moonwire.versions.\(key)") }
      versions[name] = version
    }
    return versions
  }

  private static func shapes(_ value: Value) throws(RestoreError) -> [Key: StateShape] {
    guard case .map(let entries) = value else { throw .malformedHeader("$moonwire.shapes") }
    var shapes: [Key: StateShape] = [:]
    for (key, value) in entries {
      guard let shape = StateShape(value) else {
        throw .malformedHeader("$moonwire.shapes.\(key)")
      }
      shapes[key] = shape
    }
    return shapes
  }

  private static func names(_ value: Value) throws(RestoreError) -> [ModuleName] {
    guard let entries = value.listValue else { throw .malformedHeader("$moonwire.unstarted") }
    var names: [ModuleName] = []
    for entry in entries {
      guard let name = entry.stringValue.flatMap({ ModuleName($0) }) else {
        throw .malformedHeader("$moonwire.unstarted")
      }
      names.append(name)
    }
    return names
  }
}
