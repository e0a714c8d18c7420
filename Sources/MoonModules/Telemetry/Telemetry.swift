/// What a program does with the measurements of a host: spans, for its traces, and figures, for its
/// metrics.
///
/// A host with a `HostOptions.telemetry` tells it of its work. The product `MoonTelemetry` has one
/// for swift-distributed-tracing and swift-metrics.
///
/// The host calls these functions while it carries out actions, mostly on its own thread. Until
/// they return, it does nothing else, so they must neither block nor wait for the host. What they
/// do has no effect on the state. A replay and travel in time aren't measured.
///
/// The host tells of types, names and numbers, but never of payloads, states, URLs and messages,
/// which may be private.
public protocol Telemetry: Sendable {
  /// The span of the program that the running Swift task is in; nil if there is none.
  ///
  /// When the program calls the host, what the host does for the call becomes a part of this span.
  var caller: (any TelemetrySpan)? { get }

  /// Begins the span of an operation; nil if nobody wants to know of it.
  ///
  /// The operation is a part of `parent`, or follows from it. So `parent` may have ended. It is nil
  /// if nothing that is measured has led to the operation.
  func begin(
    _ operation: TelemetryOperation, in parent: (any TelemetrySpan)?
  ) -> (any TelemetrySpan)?

  /// Takes a figure.
  func record(_ metric: TelemetryMetric)
}

extension Telemetry {
  /// None: nothing of what the host does is a part of the caller's span.
  public var caller: (any TelemetrySpan)? { nil }
}

/// The span of an operation: its time from beginning to end.
public protocol TelemetrySpan: Sendable {
  /// Ends the span.
  ///
  /// The host ends each span that it has begun exactly once, on any thread. It never ends the
  /// ``Telemetry/caller``.
  func end(_ result: TelemetryResult)

  /// Runs a function of a feature or a service that the span is about, so that what it begins
  /// itself can become a part of the span.
  func run(_ body: () async -> Void) async
}

extension TelemetrySpan {
  /// Runs the function, which learns nothing of the span.
  public func run(_ body: () async -> Void) async { await body() }
}
