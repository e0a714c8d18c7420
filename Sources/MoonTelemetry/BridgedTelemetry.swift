#if MoonTelemetry
  public import Metrics
  public import Moonwire
  public import Tracing

  /// The telemetry that passes spans to swift-distributed-tracing and figures to swift-metrics.
  ///
  /// A span has the name of its operation, and what is known of it as attributes:
  /// `moonwire.module`, `moonwire.session`, `moonwire.action` and `moonwire.task`, and at its end
  /// `moonwire.result` and `moonwire.reason`. Spans that the program begins in functions of
  /// features and services are within those of the host.
  ///
  /// | metric | type, dimensions |
  /// |---|---|
  /// | `moonwire.duration` | timer of all operations: `kind`, `module`, `result` |
  /// | `moonwire.actions` | counter: `module`, `result` |
  /// | `moonwire.faults` | counter: `module` |
  /// | `moonwire.tasks` | meter: `module` |
  /// | `moonwire.queue` | recorder of the actions that wait when one is taken |
  /// | `moonwire.memory` | gauge of bytes: `module` |
  public struct BridgedTelemetry: Telemetry {
    private let tracer: any Tracer
    private let metrics: any MetricsFactory

    /// Makes the telemetry for a tracer and a factory of metrics, by default those that the program
    /// has bootstrapped before.
    public init(
      tracer: any Tracer = InstrumentationSystem.tracer,
      metrics: any MetricsFactory = MetricsSystem.factory
    ) {
      (self.tracer, self.metrics) = (tracer, metrics)
    }

    /// The span in the current `ServiceContext`.
    public var caller: (any TelemetrySpan)? {
      ServiceContext.current.map { CallersSpan(context: $0) }
    }

    /// Begins a span in the context of another.
    public func begin(
      _ operation: TelemetryOperation, in parent: (any TelemetrySpan)?
    ) -> (any TelemetrySpan)? {
      let context = (parent as? any ContextSpan)?.context ?? .topLevel
      let span = tracer.startSpan(operation.name, context: context, ofKind: .internal)
      span.attributes.describe(operation)
      return BridgedSpan(span, of: operation, metrics)
    }

    /// Passes on a figure.
    public func record(_ metric: TelemetryMetric) {
      switch metric {
      case .action(let module, let result):
        Counter(
          label: "moonwire.actions",
          dimensions: [("module", module ?? "unknown"), ("result", result.word)], factory: metrics
        ).increment()
      case .fault(let module):
        Counter(label: "moonwire.faults", dimensions: [("module", module.text)], factory: metrics)
          .increment()
      case .tasks(let module, let change):
        let meter = Meter(
          label: "moonwire.tasks", dimensions: [("module", module.text)], factory: metrics)
        // Meters take no negative changes.
        if change > 0 {
          meter.increment(by: Double(change))
        } else {
          meter.decrement(by: Double(-change))
        }
      case .queue(let count): Recorder(label: "moonwire.queue", factory: metrics).record(count)
      case .memory(let module, let bytes):
        Gauge(label: "moonwire.memory", dimensions: [("module", module.text)], factory: metrics)
          .record(bytes)
      }
    }
  }
#endif
