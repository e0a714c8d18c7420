import Synchronization

/// A span that the host has begun, and that ends exactly once.
///
/// It ends as cancelled with the last of those who could have ended it, such as an action that
/// leaves the queue of a closed session. What follows from the operation holds it, too.
package final class OpenSpan: Sendable {
  package let span: any TelemetrySpan
  private let hasEnded: Atomic<Bool>

  /// Holds a span; that of a caller is ended by the caller.
  fileprivate init(_ span: any TelemetrySpan, isCallers: Bool = false) {
    self.span = span
    hasEnded = Atomic(isCallers)
  }

  deinit { end(.cancelled) }

  /// Ends the span, unless it has ended.
  package func end(_ result: TelemetryResult) {
    if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { span.end(result) }
  }
}

extension Telemetry {
  /// Begins the span of an operation; nil if nobody wants to know of it.
  package func open(_ operation: TelemetryOperation, in parent: OpenSpan?) -> OpenSpan? {
    begin(operation, in: parent?.span).map { OpenSpan($0) }
  }

  /// The span of the program that the running Swift task is in, which the host doesn't end.
  package var openCaller: OpenSpan? { caller.map { OpenSpan($0, isCallers: true) } }
}

extension OpenSpan? {
  /// Runs a function within the span, if there is one.
  package func run(_ body: () async -> Void) async {
    if let self { await self.span.run(body) } else { await body() }
  }
}
