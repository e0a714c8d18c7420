import InMemoryTracing
import MetricsTestKit
import MoonTelemetry
import Moonwire
import Testing
import Tracing

/// What a program's tracer and metrics get of a host.
struct BridgedTelemetryTests {
  /// A feature whose effect begins a span of its own.
  struct Kitchen: Feature {
    struct State: FeatureState { var dishes = 0 }
    struct Cook: TypedAction { var name: String }
    struct Serve: TypedAction {}
    struct Burnt: Error {}

    let tracer: InMemoryTracer

    var body: some Registrations {
      Reducer { (state: inout State, _: Serve) in state.dishes += 1 }
      Effect { (action: Cook, context) in
        try await tracer.withSpan("stir") { _ in
          if action.name == "toast" { throw Burnt() }
          try await context.sleep(for: .zero)
        }
        try await context.dispatch(Serve())
      }
    }
  }

  private struct Bench {
    let tracer = InMemoryTracer()
    let metrics = TestMetrics()
    let host: Host
    let session: HostSession

    init() async throws {
      var options = HostOptions()
      options.telemetry = BridgedTelemetry(tracer: tracer, metrics: metrics)
      options.logger.logLevel = .critical
      host = try await Host(nil, features: [Kitchen(tracer: tracer)], options: options)
      session = try await host.session()
    }

    /// The spans below the one with a name, with their results.
    func tree(below name: String) -> [String] {
      let spans = tracer.finishedSpans
      func lines(_ parent: String, _ indent: String) -> [String] {
        spans.filter { $0.parentSpanID == parent }.flatMap { span in
          let line = "\(indent)\(span.operationName) \(span["result"])"
          return [line] + lines(span.spanID, indent + "  ")
        }
      }
      return spans.filter { $0.operationName == name }.flatMap { lines($0.spanID, "") }
    }
  }

  @Test func `a request's trace has its actions, their effects and what those begin`()
    async throws
  {
    let bench = try await Bench()
    _ = try await bench.tracer.withSpan("GET /soup") { _ in
      try await bench.session.dispatch(Kitchen.Cook(name: "soup"), awaitingEffects: true)
    }
    try await bench.session.dispatch(Kitchen.Serve())
    #expect(
      bench.tree(below: "GET /soup") == [
        "action kitchen/cook done", "  effect kitchen/cook done", "    stir -",
        "    action kitchen/serve done",
      ])
    #expect(bench.tracer.finishedSpans.count { $0.parentSpanID == nil } == 3)
    await bench.host.close()
    #expect(bench.tracer.activeSpans.isEmpty)
  }

  @Test func `a span says what it is about, and how it ended`() async throws {
    let bench = try await Bench()
    await #expect(throws: DispatchError.self) {
      try await bench.session.dispatch(Kitchen.Cook(name: "toast"), awaitingEffects: true)
    }
    let spans = bench.tracer.finishedSpans
    let action = try #require(spans.first { $0.operationName == "action kitchen/cook" })
    #expect(action["module"] == "kitchen")
    #expect(action["session"] == "1")
    #expect(action["action"] == "1")
    #expect(action.status == nil)
    let effect = try #require(spans.first { $0.operationName == "effect kitchen/cook" })
    #expect(effect["task"] == "1")
    #expect(effect.status?.code == .error)
    #expect(effect.status?.message == "effect kitchen/cook of module kitchen failed")
    #expect(spans.contains { $0.operationName == "load kitchen" })
    await bench.host.close()
  }

  @Test func `figures count actions, faults and tasks`() async throws {
    let bench = try await Bench()
    for name in ["soup", "toast"] {
      _ = try? await bench.session.dispatch(Kitchen.Cook(name: name), awaitingEffects: true)
    }
    _ = try? await bench.session.dispatch(Action("nobody/knows"))
    let metrics = bench.metrics
    func actions(_ module: String, _ result: String) -> Int64 {
      metrics.counterTotal(
        label: "moonwire.actions", dimensions: [("module", module), ("result", result)])
    }
    #expect(actions("kitchen", "done") == 3)
    #expect(actions("unknown", "refused") == 1)
    let kitchen = [("module", "kitchen")]
    #expect(metrics.counterTotal(label: "moonwire.faults", dimensions: kitchen) == 1)
    #expect(try metrics.expectMeter("moonwire.tasks", kitchen).lastValue == 0)
    let timer = try metrics.expectTimer(
      "moonwire.duration", [("kind", "task"), ("module", "kitchen"), ("result", "failed")])
    #expect(timer.values.count == 1)
    await bench.host.close()
  }

  @Test func `a program that has bootstrapped nothing measures nothing`() async throws {
    var options = HostOptions()
    options.telemetry = BridgedTelemetry()
    let host = try await Host(
      nil, features: [Kitchen(tracer: InMemoryTracer())], options: options)
    try await host.session().dispatch(Kitchen.Cook(name: "soup"), awaitingEffects: true)
    await host.close()
  }
}

extension FinishedInMemorySpan {
  /// An attribute that the host has added.
  fileprivate subscript(name: String) -> String {
    switch attributes.get("moonwire.\(name)") {
    case .string(let text): text
    case .int32(let number): "\(number)"
    case .int64(let number): "\(number)"
    default: "-"
    }
  }
}
