import MoonLua
import MoonModules
package import MoonServiceKit
import MoonSession
import MoonValues

/// The services of a host: it carries out the calls of scripts.
///
/// Confined to the host.
package final class ServiceDesk {
  package let catalog: ServiceCatalog
  let surroundings: ServiceSurroundings
  private let threads = BlockingThreads()
  private var shares: [ModuleName?: BlockingThreads.Share] = [:]
  private var turns: [ModuleName?: ComputingTurns] = [:]
  private var memories: [ModuleName?: HeldMemory] = [:]
  /// Returns the memory quota of a module; nil stands for the prompt.
  private let memoryQuota: (ModuleName?) -> Int
  /// The permissions of modules.
  package private(set) var grants: Grants
  /// What the calls use that have opened something, or are about to.
  private var used: [WeakScopes] = []
  /// The number of those when the ones that are gone were last left out.
  private var usedCount = 0

  /// - Throws: ``ServiceNameError``.
  package init(
    _ services: [Service], _ surroundings: ServiceSurroundings, _ grants: Grants,
    memoryQuota: @escaping (ModuleName?) -> Int
  ) throws(ServiceNameError) {
    catalog = try ServiceCatalog(services)
    self.surroundings = surroundings
    self.grants = grants
    self.memoryQuota = memoryQuota
  }

  /// Changes the grants; returns whether they differ.
  package func changeGrants(_ change: (inout Grants) -> Void) -> Bool {
    let before = grants
    change(&grants)
    if grants == before { return false }
    // What was opened with a permission goes with it.
    for scopes in used.compactMap(\.scopes) { scopes.closeUnlessGranted(by: grants) }
    return true
  }

  /// Returns what notes the scopes of a call that opens something.
  func usedScopes(of module: ModuleName, _ requested: RequestedScopes) -> UsedScopes {
    if used.count >= 2 * usedCount + 16 {
      used.removeAll { $0.scopes == nil }
      usedCount = used.count
    }
    let scopes = UsedScopes(of: module, requested)
    used.append(WeakScopes(scopes: scopes))
    return scopes
  }

  /// Returns whether the module that calls may use a scope.
  ///
  /// - Throws: ``HostRefusal`` if the text isn't a scope.
  func isGranted(_ call: HostCall) throws(HostRefusal) -> Bool {
    let scope: Scope
    do throws(ScopeError) {
      scope = try Scope(parsing: call.text(0))
    } catch {
      throw .refused("'\(call.text(0))' is no scope: \(error)")
    }
    guard let module = call.module,
      let requested = call.bindings.activity.call?.session.modules[module]?.module.requested
    else { return false }
    return Permissions(requested, grants).allow(scope, to: module)
  }

  /// Returns a module's share of the threads for code that may block; nil stands for the prompt.
  func threads(of module: ModuleName?) -> BlockingThreads.Share {
    if let share = shares[module] { return share }
    let share = threads.share()
    shares[module] = share
    return share
  }

  /// Returns the turns of a module's calls that compute for long; nil stands for the prompt.
  func turns(of module: ModuleName?) -> ComputingTurns {
    if let turns = self.turns[module] { return turns }
    let made = ComputingTurns()
    turns[module] = made
    return made
  }

  /// Returns the memory that the host holds for a module, at most as much as its machine may use;
  /// nil stands for the prompt.
  package func memory(of module: ModuleName?) -> HeldMemory {
    if let memory = memories[module] { return memory }
    let memory = HeldMemory(bytesMax: memoryQuota(module))
    memories[module] = memory
    return memory
  }

  /// Returns the parts of a service for Lua, or without a name the names of all services.
  func describe(_ name: String?) -> [Argument] {
    guard let name else {
      return [.value(.list(List(catalog.names.map { .string(Text($0)) })))]
    }
    guard let parts = catalog.description(of: name) else { return [.none] }
    return [
      .value(parts.functions), .value(parts.handles), .value(.bool(parts.isScripted)),
      .value(parts.simple),
    ]
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

private struct WeakScopes {
  weak var scopes: UsedScopes?
}
