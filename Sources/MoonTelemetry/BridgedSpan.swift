#if MoonTelemetry
  import Metrics
  import Moonwire
  import Tracing

  /// A span with a context, in which others begin.
  protocol ContextSpan: TelemetrySpan {
    var context: ServiceContext { get }
  }

  extension ContextSpan {
    func run(_ body: () async -> Void) async {
      await ServiceContext.withValue(context) { await body() }
    }
  }

  /// The span of a caller, which the host doesn't end.
  struct CallersSpan: ContextSpan {
    let context: ServiceContext

    func end(_ result: TelemetryResult) {}
  }

  /// The span of an operation, whose duration becomes a figure, too.
  struct BridgedSpan: ContextSpan {
    private let span: any Span
    private let kind: String
    private let module: String
    private let metrics: any MetricsFactory
    private let begun = ContinuousClock.now

    init(_ span: any Span, of operation: TelemetryOperation, _ metrics: any MetricsFactory) {
      (self.span, self.metrics) = (span, metrics)
      (kind, module) = (operation.kind, operation.module ?? "")
    }

    var context: ServiceContext { span.context }

    func end(_ result: TelemetryResult) {
      span.attributes["moonwire.result"] = result.word
      switch result {
      case .done, .cancelled: break
      case .refused(let reason): span.attributes["moonwire.reason"] = reason
      case .failed(let reason):
        span.attributes["moonwire.reason"] = reason
        span.setStatus(SpanStatus(code: .error, message: reason))
      }
      span.end()
      let time = (ContinuousClock.now - begun) / .nanoseconds(1)
      Metrics.Timer(
        label: "moonwire.duration",
        dimensions: [("kind", kind), ("module", module), ("result", result.word)], factory: metrics
      ).recordNanoseconds(Int64(time))
    }
  }

  extension SpanAttributes {
    /// Adds what is known of an operation.
    mutating func describe(_ operation: TelemetryOperation) {
      self["moonwire.module"] = operation.module
      self["moonwire.session"] = operation.session?.number
      switch operation {
      case .action(_, let id, _): self["moonwire.action"] = id
      case .task(let id, _, _, _): self["moonwire.task"] = id.number
      case .load(_, let generation): self["moonwire.generation"] = generation
      case .call, .route, .commit: break
      }
    }
  }

  extension TelemetryOperation {
    /// The word for operations of this kind among the dimensions of a metric.
    fileprivate var kind: String {
      switch self {
      case .action: "action"
      case .task: "task"
      case .call: "call"
      case .route: "route"
      case .load: "load"
      case .commit: "commit"
      }
    }
  }

  extension TelemetryResult {
    /// The result without its reason.
    var word: String {
      switch self {
      case .done: "done"
      case .refused: "refused"
      case .failed: "failed"
      case .cancelled: "cancelled"
      }
    }
  }
#endif
