import Glibc
import Logging
import MoonFiles
import MoonLua
import MoonSession
import MoonStore
import MoonValues

/// The services of a host: it carries out the calls of scripts.
///
/// Confined to the host.
final class ServiceDesk {
  /// The maximum number of handles that one module may have open.
  static let handleCountMax = 256

  let catalog: ServiceCatalog
  let surroundings: ServiceSurroundings
  let threads = BlockingThreads()
  let held = HeldArguments()
  /// The permissions of modules.
  private(set) var grants: Grants

  /// - Throws: ``HostError/invalidService(_:_:)``.
  init(_ options: HostOptions) throws(HostError) {
    catalog = try ServiceCatalog(options.services)
    surroundings = options.surroundings
    grants = options.grants
  }

  /// Adds grants; returns false if there are no others.
  func add(_ rules: [Grants.Rule]) -> Bool {
    let others = rules.filter { !grants.allowed.contains($0) }
    grants.allowed += others
    return !others.isEmpty
  }

  /// Returns the parts of a service for Lua, or without a name the names of all services.
  func describe(_ name: String?) -> [Argument] {
    guard let name else {
      return [.value(.list(List(catalog.names.map { .string(Text($0)) })))]
    }
    guard let parts = catalog.description(of: name) else { return [.none] }
    return [.value(parts.functions), .value(parts.handles), .value(.bool(parts.isScripted))]
  }

  /// Returns the values of a module's settings by name, and the names of its secrets.
  func settings(of module: ModuleName?, _ activity: Activity) -> [Argument] {
    let values = Self.settings(of: module, activity)
    let secrets = (values?.secrets.keys.sorted() ?? []).map { Value.string(Text($0)) }
    return [.value(.map(values?.open ?? Map())), .value(.list(List(secrets)))]
  }

  static func settings(of module: ModuleName?, _ activity: Activity) -> SettingValues? {
    module.flatMap { activity.call?.session.modules[$0]?.module.settings?.values }
  }
}

extension HostOptions {
  /// Returns the options of a host for a script directory: paths in grants are relative to it.
  func knowing(_ directory: String?) -> HostOptions {
    var options = self
    let scripts = directory.map { ScriptDirectory(root: $0).root }
    options.surroundings.scriptDirectory = scripts
    options.surroundings.clock = clock
    options.surroundings.warn = { [logger] in logger.warning("\($0)") }
    options.grants.directories = ScopeDirectories(
      scripts: scripts, home: getenv("HOME").map { String(cString: $0) },
      following: { ResolvedPath($0).text })
    return options
  }
}

/// What Lua gets of results and failures.
extension ServiceDesk {
  /// Returns true and the results.
  static func results(of result: ServiceResult) -> [Argument] {
    let parts = if case .several(let parts) = result { parts } else { [result] }
    return [.value(.bool(true))] + parts.map(\.argument)
  }

  /// Returns false, the code and the reason.
  static func results(of failure: ServiceReport) -> [Argument] {
    [
      .value(.bool(false)), .value(.string(Text(failure.code))),
      .value(.string(Text(failure.reason))),
    ]
  }
}

extension ServiceResult {
  func checked(max: Int) throws(ServiceRefusal) -> Self {
    let bytes = byteCount
    guard bytes <= max else { throw .answerTooLarge(bytes: bytes, max: max) }
    return self
  }

  fileprivate var argument: Argument {
    if case .nothing = self { .none } else { .data(data) }
  }

  private var data: HostData {
    switch self {
    case .nothing: .value(.null)
    case .value(let value): .value(value)
    case .bytes(let bytes): .bytes(bytes)
    case .list(let elements), .several(let elements): .list(elements.map(\.data))
    case .fields(let fields):
      .fields(
        fields.compactMap { field in
          if case .nothing = field.content { nil } else { (field.name, field.content.data) }
        })
    }
  }
}
