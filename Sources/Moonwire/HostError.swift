public import MoonFeatures
import MoonLua
public import MoonModules
public import MoonScripts
public import MoonServiceKit
import MoonSession
import MoonValues

/// An error of a host.
public enum HostError: Error, Sendable, Equatable {
  /// The system has no thread left for the host.
  case noThread
  /// The host is closed.
  case closed
  /// A module of this name already exists.
  case nameTaken(ModuleName)
  /// The `state` of a module can't be its slice.
  case refusedState(ModuleName, SliceRefusal)
  /// An observer of modules keeps the module out of service.
  case keptOut(ModuleName, ObserverRefusal)
  /// There is no module of this name in service.
  case notInService(ModuleName)
  /// The module is in Lua: its files decide when it is replaced or removed.
  case loadedFromFiles(ModuleName)
  /// The slice couldn't be converted to the new version, because `migrate` failed.
  case notMigrated(ModuleName, Fault)
  /// The maximum number of the module's slices is already put aside.
  case tooManyKeptSlices(ModuleName)
  /// The module requests a permission that it isn't granted.
  case notGranted(ModuleName, Scope)
  /// A service, or a function of one such as `http.get`, can't be offered.
  case invalidService(String, ServiceProblem)
  /// A feature can't become a module.
  case invalidFeature(FeatureError)
  /// The system grants less memory than is needed to enforce the modules' quotas.
  case tooLittleMemory(MemoryShortage)
}

extension HostError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .noThread: "the system has no thread left for the host"
    case .closed: "the host is closed: make another one to open a session"
    case .nameTaken(let name): "there is a module \(name) already"
    case .refusedState(let name, let refusal): "the state of \(name) can't be used: \(refusal)"
    case .keptOut(let name, let refusal): "module \(name) isn't in service: \(refusal)"
    case .notInService(let name): "there is no module \(name) in service"
    case .loadedFromFiles(let name):
      "module \(name) is loaded from files: change or delete them instead"
    case .notMigrated(let name, let fault): "the slice of \(name) can't be migrated: \(fault)"
    case .tooManyKeptSlices(let name):
      "too many slices of \(name) are put aside: delete some first"
    case .notGranted(let name, let scope):
      "module \(name) needs \(scope), which HostOptions.grants doesn't grant"
    case .invalidService(let name, .name):
      "'\(name)' can't be the name of a service or function: lowercase letters, digits and _ make "
        + "one, and the names of `moon` are taken"
    case .invalidService(let name, .nameTaken): "two services or functions are called '\(name)'"
    case .invalidFeature(let error): "\(error)"
    case .tooLittleMemory(let shortage): "\(shortage)"
    }
  }
}

/// A shortage of memory for a host.
///
/// A quota is enforced by granting somewhat more and then ending the call, so a host needs a few
/// times the quota of a module. If the system granted less, one module could end the process.
public struct MemoryShortage: Sendable, Equatable {
  /// A limit on memory.
  package enum Limit: Sendable, Equatable {
    /// `ulimit -v`, the address space of the process.
    case addressSpace
    /// A control group of Linux, as used for containers and services.
    case controlGroup
  }

  /// The limit on memory.
  package let limit: Limit
  /// The number of bytes that the limit leaves.
  package let bytesLeft: Int
  /// The number of bytes that the host needs.
  package let bytesNeeded: Int
  /// The largest memory quota of a module, in bytes.
  package let quota: Int
  /// The largest quota that the limit allows, in bytes; 0 if it allows none.
  package let quotaMax: Int
}

extension MemoryShortage: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    let source = limit == .addressSpace ? "`ulimit -v`" : "the control group"
    return "\(source) leaves \(Wording.size(bytesLeft)) of memory, and the host needs"
      + " \(Wording.size(bytesNeeded)) to hold a module to its \(Wording.size(quota))"
  }
}

extension HostOptions {
  /// Returns a module in Swift with the quota of slices applied.
  ///
  /// - Throws: ``HostError/refusedState(_:_:)`` or ``HostError/notGranted(_:_:)``.
  func held(_ module: sending Module) throws(HostError) -> sending Module {
    for scope in module.needs where grants.answer(to: scope, of: module.name) != .granted {
      throw .notGranted(module.name, scope)
    }
    if let refusal = module.refusalOfState(within: loading.sliceQuota(of: module.name)) {
      throw .refusedState(module.name, refusal)
    }
    return module.held { loading.sliceQuota(of: $0) }
  }
}

extension MemoryShortage {
  /// Checks that hosts with these options have the memory that they need.
  ///
  /// - Throws: ``HostError/tooLittleMemory(_:)``.
  static func check(_ options: HostOptions) throws(HostError) {
    if let shortage = MemoryShortage(options, MemoryAllowance.current()) {
      throw .tooLittleMemory(shortage)
    }
  }

  /// Determines the shortage for hosts with these options; nil if there is none.
  ///
  /// A module without a quota may use all memory, so none is required for it.
  init?(_ options: HostOptions, _ allowance: MemoryAllowance?) {
    guard let allowance else { return nil }
    let quotas = [options.memoryQuota] + options.limits.values.compactMap(\.memoryQuota)
    let stack = allowance.limit == .addressSpace ? LuaThread.stackBytes : 0
    let left = max(0, allowance.bytesLeft - stack)
    let quota = quotas.max() ?? 0
    let needed = MemoryAllowance.bytesNeeded(quota: quota)
    guard quota > 0, left < needed else { return nil }
    self.init(
      limit: allowance.limit == .addressSpace ? .addressSpace : .controlGroup,
      bytesLeft: allowance.bytesLeft, bytesNeeded: needed + stack, quota: quota,
      quotaMax: MemoryAllowance.quota(withBytes: left))
  }
}

extension Budgets {
  /// Whether every call ends soon after its budget is spent.
  ///
  /// It is false on processors other than x86-64 and AArch64, and where Lua is linked statically.
  /// There, a call inside one of Lua's own functions, such as the compiler, ends only when that
  /// function returns.
  package static var endsEveryCall: Bool { Watchdog.canAbandon }
}

extension BudgetClock {
  /// Makes the clock of a watchdog.
  init(_ watchdog: Watchdog) {
    self.init(nanoseconds: { watchdog.nanoseconds }, hold: watchdog.holdClock)
  }
}
