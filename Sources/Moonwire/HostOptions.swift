public import Logging
import MoonLua
public import MoonSession
import MoonStore

/// How a host works.
public struct HostOptions: Sendable {
  /// How long the code of modules may run.
  public var budgets = Budgets()
  /// How many bytes the code of one module may use, what the host holds for it included; 0 for as
  /// many as there are.
  public var memoryQuota = Self.moduleMemoryQuota
  /// How many bytes the slice of one module may take, roughly; 0 for as many as there are.
  public var stateQuota = Self.moduleStateQuota
  /// How long the code of one module may run for one action, all its calls together; zero for as
  /// long as it likes.
  ///
  /// The time of all modules counts. Once it is spent, modules that have used more than a tenth of
  /// it aren't called for this action any more; the others still are.
  public var actionBudget: Duration = .seconds(2)
  /// How long what follows from one action may take in all, each step within its own budget; zero
  /// for as long as it likes.
  ///
  /// What still waits then is dropped: thousands of actions of a second each would keep the host
  /// from everything else for hours.
  public var followingBudget: Duration = .seconds(10)
  /// How many of the last ``faultCallCount`` calls may fail, of one registration or of all that a
  /// module has, until the module is suspended; 0 for all.
  ///
  /// A call that was ended for its time or its memory counts as five.
  public var faultsMax = Suspension.faultsMax
  /// How many calls are looked back on when faults are counted.
  public static let faultCallCount = Suspension.callCount
  /// How URLs are read and found.
  public var routing = RoutingRules()
  /// What single modules may use, where that isn't what all may.
  public var limits: [ModuleName: ModuleLimits] = [:]
  /// Paths of directories outside the script directory: symbolic links in it may lead into them.
  ///
  /// Their files are then read and watched as if they lay where the link is. Other links that lead
  /// out of the script directory are problems.
  public var linkedDirectories: [String] = []
  /// How many bytes the code typed at the prompt may use; 0 for as many as there are.
  public var promptMemoryQuota = Self.promptMemoryQuota
  /// Where the time of actions comes from.
  public var clock = Clock.system
  /// Where `print` and `moon.log` of modules go.
  public var logger = Logger(label: "moonwire")
  /// Where `print` at the prompt goes: to the person who typed it; nil for the logger.
  public var printed: (@Sendable (String) -> Void)?

  /// Where `print` at the prompt goes in the end.
  var printing: @Sendable (String) -> Void {
    printed ?? { [logger] in logger.info("\($0)") }
  }

  /// Whether calls can be ended at all; only a measurement of what that costs wants none.
  package var isWatched = true
  /// How long a file that doesn't load just after a save is given to be finished.
  var retryDelay = Reloader.retryDelay
  /// Which allocation of a module's machine fails, of each that is made; for tests.
  var allocationFault: @Sendable (ModuleName) -> AllocationFault? = { _ in nil }

  /// The usual quota of a slice: as much as one call could write.
  public static let moduleStateQuota = 64 << 20
  /// The usual quota of a module: far more than the code of an app's part needs.
  public static let moduleMemoryQuota = 64 << 20
  /// The quota of what is typed at the prompt, where a person may look at everything at once.
  public static let promptMemoryQuota = 256 << 20

  /// Makes the usual options.
  public init() {}
}
