import Dispatch
import Glibc

/// The turns of one module's calls that compute for long, such as those that list directories.
///
/// The threads of services have the same priority as the host's own thread. The calls of one module
/// could otherwise take all processors from it, and from the calls of other modules.
package final class ComputingTurns: Sendable {
  /// The number of calls that compute at a time: half of the processors, at least one.
  package static let countMax = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)

  private let turns = DispatchSemaphore(value: ComputingTurns.countMax)

  package init() {}

  /// Blocks the thread until it is the call's turn, then runs its code.
  package func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    turns.wait()
    defer { turns.signal() }
    return try body()
  }
}
