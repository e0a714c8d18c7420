import Foundation
import Logging
import MoonServices
import MoonTestServer
import MoonTestSupport
import Moonwire
import Testing

/// A host with a healthy module and a hostile one.
final class Arena: Sendable {
  /// The number of times that this build is slower than a usual one, which `scripts/sanitize` sets.
  static let pace =
    ProcessInfo.processInfo.environment["MOON_TEST_PACE"].flatMap { Double($0) } ?? 1
  /// The budget for code that never ends.
  static let budget = Duration.milliseconds(60)
  /// The budget for code that ends by itself, on a slow machine.
  static let patience = Duration.seconds(60) * pace
  /// The budget for code that ends either way.
  static let shortPatience = Duration.seconds(2)
  static let quota = 16 << 20
  /// For tasks that end by themselves; those that never do are left to themselves then.
  static let restTime = Duration.milliseconds(500)
  /// For tasks that use services, which all end by themselves unless a script says otherwise.
  static let serviceRestTime = Duration.seconds(60)

  let folder: ScriptFolder
  private let restTime: Duration
  let host: Moonwire.Host
  let session: SessionID

  init(
    hostile: String, libraries: [String: String] = [:], budget: Duration = Arena.patience,
    restTime: Duration = Arena.restTime, services: [Service] = [], logger: Logger? = nil
  ) async throws {
    self.restTime = restTime
    var files = libraries
    files["hostile.lua"] = hostile
    files["healthy.lua"] = """
      return require("moonwire").module {
        state = { n = 0 }, reducers = { go = function(state) state.n = state.n + 1 end },
      }
      """
    folder = try ScriptFolder(files)
    if !libraries.isEmpty { try folder.makeLink("lib/outside.lua", to: "/etc/passwd") }
    var options = HostOptions()
    options.logger.logLevel = .critical
    if let logger { options.logger = logger }
    options.memoryQuota = Self.quota
    // For the hostile module only, since a slow machine must not end the healthy one.
    options.budgets = Budgets(all: Self.patience)
    if let name = ModuleName("hostile") { options.limits[name] = .all(budget) }
    options.services = services
    options.surroundings.dataDirectory = folder.outside + "/kept"
    if !services.isEmpty { options.grants.allowed = try Self.prepareGrants(in: folder) }
    host = try Host(directory: folder.root, options: options)
    try await host.load()
    session = await host.openSession()
  }

  /// The scopes that a module with services needs and is granted.
  static let needs = [
    "net:localhost", "storage", "read:data/", "write:data/", "run:sh", "run:sleep", "run:yes",
  ]

  /// Makes the directory that ``needs`` names, with links that lead out of it.
  private static func prepareGrants(in folder: ScriptFolder) throws -> [Grants.Rule] {
    try folder.save("data/a.txt", "alpha")
    try folder.save("../secret/secret.txt", "secret")
    try folder.makeLink("data/out", to: folder.path("../secret"))
    try folder.makeLink("data/secret.txt", to: "../../secret/secret.txt")
    try folder.makeLink("data/round", to: "round")
    try folder.makeLink("data/up", to: "..")
    return try needs.map { Grants.Rule(try Scope(parsing: $0)) }
  }

  /// Dispatches an action; returns the reasons for its failures, none if it succeeds.
  ///
  /// With a module, faults of others don't count, such as those of a script that takes long to end.
  func reasons(of type: Text, in module: String? = nil) async -> [Reason] {
    do throws(DispatchError) {
      let outcome = try await host.dispatch(Action(type), to: session)
      let work = await host.waitForTasks(in: session, within: restTime)
      let faults = (outcome.faults + work.faults).filter { module == nil || $0.module == module }
      return faults.map { Reason($0.reason) }
        + (outcome.failures + work.failures).map { Reason($0.error) }
    } catch {
      return [Reason(error)]
    }
  }

  /// Dispatches an action that must fail, or whose tasks must; returns the reasons for the failures
  /// as soon as there are any.
  func reasonsToCome(of type: Text) async -> [Reason] {
    var found = await reasons(of: type)
    let clock = ContinuousClock()
    let end = clock.now + Self.serviceRestTime
    // Tasks take their time on a slow machine.
    while found.isEmpty, clock.now < end {
      let work = await host.waitForTasks(in: session, within: restTime)
      found = work.faults.map { Reason($0.reason) } + work.failures.map { Reason($0.error) }
    }
    return found
  }

  /// Routes a URL; returns the reasons for its failures, as ``reasons(of:)`` does.
  func reasons(opening url: Text) async -> [Reason] {
    do throws(DispatchError) {
      let outcome = try await host.route(url, in: session)
      return outcome.faults.map { Reason($0.reason) } + outcome.failures.map { Reason($0.error) }
    } catch {
      return [Reason(error)]
    }
  }

  /// Shows the screen on top; returns the reasons for its failures.
  func reasonsOfLooking() async -> [Reason] {
    switch await host.shownScreen(in: session)?.failure {
    case nil: []
    case .fault(let fault): [Reason(fault.reason)]
    case .suspended: [.suspended]
    case .malformed(let error, _): [.error("\(error)")]
    }
  }

  /// Returns the reasons that the module isn't in service, if it isn't.
  func problems() async -> [Reason] {
    let info = await host.moduleInfos().first { $0.name.text == "hostile" }
    return (info?.problems ?? []).map { problem in
      if case .fault(let fault) = problem.reason {
        Reason(fault.reason)
      } else {
        .error("\(problem.reason)")
      }
    }
  }

  /// Returns the value at a path of the state.
  func state(_ path: String) async throws -> Value? {
    try await host.state(of: session)?.value(at: Path(parsing: path))
  }
}

extension ModuleLimits {
  fileprivate static func all(_ time: Duration) -> ModuleLimits {
    var limits = ModuleLimits()
    for kind in CallKind.allCases { limits.budgets[kind] = time }
    return limits
  }
}

/// The reason for a failure, as precisely as the corpus distinguishes.
enum Reason: Equatable, CustomStringConvertible {
  case timeout
  case memory
  case error(String)
  /// The module had failed too often before.
  case suspended

  init(_ reason: Fault.Reason) {
    self =
      switch reason {
      case .timedOut: .timeout
      case .outOfQuota: .memory
      case .raised(let text), .syntax(let text, _): .error(text)
      case .interrupted, .outOfMemory, .notRunning, .actionTimeSpent, .lifetimeExceeded:
        .error("\(reason)")
      }
  }

  init(_ error: DispatchError) {
    switch error {
    case .fault(let fault): self.init(fault.reason)
    case .routing(let error):
      if case .fault(let fault) = error.reason {
        self.init(fault.reason)
      } else {
        self = .error("\(error)")
      }
    case .suspended: self = .suspended
    default: self = .error("\(error)")
    }
  }

  /// Nil for a consequence of another failure.
  var kind: HostileScript.Kind? {
    switch self {
    case .suspended: nil
    case .timeout: .timeout
    case .memory: .memory
    case .error: .error
    }
  }

  var description: String {
    if case .error(let text) = self {
      "error: \(text.prefix(200))"
    } else {
      kind?.rawValue ?? "suspended"
    }
  }
}
