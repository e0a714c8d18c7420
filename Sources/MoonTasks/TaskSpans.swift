package import MoonModules
import MoonServiceKit

/// The spans of a task: that of what has led to it, and that of its own run.
///
/// Confined to the host.
package final class TaskSpans {
  private let cause: OpenSpan?
  private let telemetry: any Telemetry
  private var own: OpenSpan?
  private var hasBegun = false

  /// Makes the spans of a task that isn't running yet.
  package init(after cause: OpenSpan?, for telemetry: any Telemetry) {
    (self.cause, self.telemetry) = (cause, telemetry)
  }

  /// The span that contains what the task leads to.
  package var innermost: OpenSpan? { own ?? cause }

  /// Begins the span of the run in that of the cause, unless it has begun.
  package func begin(_ operation: @autoclosure () -> TelemetryOperation) {
    guard !hasBegun else { return }
    hasBegun = true
    own = telemetry.open(operation(), in: cause)
  }

  /// Ends the span of the run, if there is one.
  package func end(_ result: @autoclosure () -> TelemetryResult) { own?.end(result()) }

  /// Tells that a module has more tasks, or fewer.
  func count(_ change: Int, of module: ModuleName) {
    telemetry.record(.tasks(module, by: change))
  }
}
