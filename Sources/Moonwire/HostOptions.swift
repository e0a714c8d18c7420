import Glibc
public import Logging
import MoonFiles
import MoonLua
public import MoonModules
public import MoonScripts
public import MoonServiceKit
public import MoonSession
public import MoonTasks

/// The options of a host.
public struct HostOptions: Sendable {
  /// The time budgets of calls into modules.
  public var budgets = Budgets()
  /// The maximum memory of one module in bytes, including what the host holds for it; 0 for no
  /// limit.
  public var memoryQuota = Self.moduleMemoryQuota
  /// The approximate maximum size of a module's slice in bytes; 0 for no limit.
  public var stateQuota = Self.moduleStateQuota
  /// The time budget of all calls for one action; zero for no limit.
  ///
  /// It covers all modules together. Once it is spent, modules that have used more than a tenth of
  /// it are no longer called for the action. The others still are.
  public var actionBudget: Duration = .seconds(2)
  /// The time budget of everything that follows from one action; zero for no limit.
  ///
  /// When it is spent, the queued actions are dropped. Otherwise, thousands of actions of a second
  /// each could block the host for hours.
  public var followingBudget: Duration = .seconds(10)
  /// The number of faults in the last 50 calls at which a module is suspended; 0
  /// for no limit.
  ///
  /// The calls of each registration are counted, and also those of the whole module.
  ///
  /// A call that was ended for its time or its memory counts as five.
  public var faultsMax = Suspension.faultsMax
  /// The number of calls over which faults are counted.
  package static let faultCallCount = Suspension.callCount
  /// The default limits on a module's tasks.
  public var tasks = TaskLimits()
  /// The limits of sessions' timelines; by default, no timeline is kept.
  public var timeline = Timeline.Limits.none
  /// The rules for reading and matching URLs.
  public var routing = RoutingRules()
  /// The permissions of modules; none by default.
  public var grants = Grants()
  /// The services that modules can use; none by default.
  public var services: [Service] = []
  /// The source of modules' settings; nothing is given by default.
  public var settings = SettingSource.none
  /// Whether modules and registrations with `debug = true` are loaded.
  public var isDebugging = false
  /// What the host offers to its services.
  public var surroundings = ServiceSurroundings()
  /// The limits of single modules that differ from those above.
  public var limits: [ModuleName: ModuleLimits] = [:]
  /// The paths of directories outside the script directory that its symbolic links may lead into.
  ///
  /// Their files are read and watched as if they were where the link is. Other links that lead out
  /// of the script directory are problems.
  public var linkedDirectories: [String] = []
  /// The limits on code that is typed at the prompt.
  public var prompt = PromptLimits()
  /// The source of the time in actions' metadata.
  public var clock = Clock.system
  /// The logger for `print` and `moon.log` in modules, and for problems with modules.
  ///
  /// Each line has the name of the module as `module` among its metadata and, if it is about them,
  /// the numbers of the session and of the action as `session` and `action`.
  public var logger = Logger(label: "moonwire")
  /// What measures the work of the host; nil for nothing, which costs nothing.
  public var telemetry: (any Telemetry)?
  /// Receives the output of `print` at the prompt; nil means the logger.
  public var printed: (@Sendable (String) -> Void)?

  /// The destination of `print` at the prompt.
  var printing: @Sendable (String) -> Void {
    printed ?? { [logger] in logger.info("\($0)") }
  }

  /// What only tests and measurements change.
  package var trial = Trial()

  /// What only tests and measurements change.
  package struct Trial: Sendable {
    /// Whether there is a watchdog; false for measuring its cost.
    package var isWatched = true
    /// Whether a host of a program logs problems; false for what reports them itself.
    package var logsProblems = true
    /// The delay before a file that fails to load just after a save is tried again.
    var retryDelay = Retries.delay
    /// The time after which a call of code in Swift is reported.
    package var longCallTime = CallWatch.standardInterval
    /// The allocation that fails in each module's machine.
    var allocationFault: @Sendable (ModuleName) -> AllocationFault? = { _ in nil }
  }

  /// The default quota of a slice: as much as one call can write.
  package static let moduleStateQuota = 64 << 20
  /// The default memory quota of a module, far more than most need.
  package static let moduleMemoryQuota = 64 << 20

  /// Makes the default options.
  public init() {}
}

extension HostOptions {
  /// The options that concern the loading of modules.
  var loading: LoadingOptions {
    LoadingOptions(
      budgets: budgets, memoryQuota: memoryQuota, stateQuota: stateQuota, limits: limits,
      settings: settings, isDebugging: isDebugging,
      allocationFault: trial.allocationFault)
  }

  /// Returns the limits on a module's tasks.
  func taskLimits(of module: ModuleName) -> TaskLimits {
    let own = limits[module]
    return TaskLimits(
      countMax: own?.tasksMax ?? tasks.countMax, lifeMax: own?.taskLife ?? tasks.lifeMax,
      guardTimeMax: own?.guardTime ?? tasks.guardTimeMax)
  }

  /// Returns the memory quota of a module; nil stands for the prompt.
  func memoryQuota(of module: ModuleName?) -> Int {
    guard let module else { return prompt.memoryQuota }
    return limits[module]?.memoryQuota ?? memoryQuota
  }

  /// Returns the number of faults at which a module is suspended.
  func faultsMax(of module: ModuleName) -> Int { limits[module]?.faultsMax ?? faultsMax }
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

extension Bindings {
  /// Makes the functions of a host with these options.
  ///
  /// - Throws: ``HostError/invalidService(_:_:)``.
  convenience init(_ options: HostOptions) throws(HostError) {
    let services: ServiceDesk
    do throws(ServiceNameError) {
      services = try ServiceDesk(
        options.services, options.surroundings, options.grants,
        memoryQuota: options.memoryQuota(of:))
    } catch {
      throw .invalidService(error.name, error.problem)
    }
    self.init(
      services, logger: options.logger, telemetry: options.telemetry, printing: options.printing)
  }
}

extension HostOptions {
  /// Checks that no service has the name of another part of `moon`.
  ///
  /// - Throws: ``HostError/invalidService(_:_:)``.
  func checkServiceNames() throws(HostError) {
    for service in services where ScriptLibrary.word("moon.\(service.name)") != nil {
      throw .invalidService(service.name, .name)
    }
  }
}

/// The limits on code that is typed at the prompt.
public struct PromptLimits: Sendable, Equatable {
  /// The default memory quota: a person may inspect the whole state.
  package static let memoryQuota = 256 << 20
  /// The time for a served app, where the code of one client holds up all others.
  package static let servedBudget: Duration = .seconds(5)

  /// The maximum memory in bytes; 0 for no limit.
  public var memoryQuota = Self.memoryQuota
  /// The maximum time from one wait to the next; zero means no limit, for a prompt where a person
  /// can end the code.
  public var budget: Duration = .zero

  /// Makes the limits of a prompt where a person can end the code.
  public init() {}
}
