import Moonwire
import Synchronization

/// A telemetry that remembers what it was told.
final class SpanLog: Telemetry {
  /// A span, which knows how often it has ended.
  final class Span: TelemetrySpan {
    let number: Int
    let parent: Int?
    let operation: TelemetryOperation?
    private let results = Mutex<[TelemetryResult]>([])

    init(_ number: Int, in parent: Int?, _ operation: TelemetryOperation?) {
      (self.number, self.parent, self.operation) = (number, parent, operation)
    }

    var ends: [TelemetryResult] { results.withLock { $0 } }

    func end(_ result: TelemetryResult) { results.withLock { $0.append(result) } }

    func run(_ body: () async -> Void) async {
      await SpanLog.$current.withValue(self) { await body() }
    }

    fileprivate var line: String {
      let end = ends.map { "\($0)" }.joined(separator: " and ")
      return "\(operation?.name ?? "caller") \(ends.isEmpty ? "open" : end)"
    }
  }

  private struct Facts {
    var spans: [Span] = []
    var metrics: [TelemetryMetric] = []
  }

  @TaskLocal static var current: Span?

  private let facts = Mutex(Facts())
  /// Whether the log wants to know of an operation.
  private let isWanted: @Sendable (TelemetryOperation) -> Bool

  init(wanting isWanted: @escaping @Sendable (TelemetryOperation) -> Bool = { _ in true }) {
    self.isWanted = isWanted
  }

  var caller: (any TelemetrySpan)? { Self.current }

  func begin(
    _ operation: TelemetryOperation, in parent: (any TelemetrySpan)?
  ) -> (any TelemetrySpan)? {
    guard isWanted(operation) else { return nil }
    return facts.withLock { facts in
      let span = Span(facts.spans.count, in: (parent as? Span)?.number, operation)
      facts.spans.append(span)
      return span
    }
  }

  func record(_ metric: TelemetryMetric) { facts.withLock { $0.metrics.append(metric) } }

  /// Runs a function in a span that isn't the host's.
  func within<R: Sendable>(_ body: () async throws -> R) async rethrows -> R {
    let span = facts.withLock { facts in
      facts.spans.append(Span(facts.spans.count, in: nil, nil))
      return facts.spans[facts.spans.count - 1]
    }
    return try await Self.$current.withValue(span) { try await body() }
  }

  func clear() { facts.withLock { $0.metrics = [] } }

  var spans: [Span] { facts.withLock { $0.spans } }
  var metrics: [TelemetryMetric] { facts.withLock { $0.metrics } }
  /// The spans that haven't ended.
  var open: [Span] { spans.filter { $0.ends.isEmpty && $0.operation != nil } }

  /// The spans with their ends, each below its parent, apart from the loading of modules.
  var tree: [String] { lines(in: nil, indent: "") }

  private func lines(in parent: Int?, indent: String) -> [String] {
    spans.filter { $0.parent == parent }.flatMap { span -> [String] in
      if case .load? = span.operation { return [] }
      return [indent + span.line] + lines(in: span.number, indent: indent + "  ")
    }
  }
}
