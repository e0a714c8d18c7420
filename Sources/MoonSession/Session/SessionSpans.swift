import MoonActions
package import MoonModules
import MoonServiceKit
import MoonTasks

/// The spans of what a session does, if a program measures it.
package struct SessionSpans {
  fileprivate let session: Session

  /// Begins the span of an operation within what is carried out; nil if nothing measures it.
  package func open(_ operation: @autoclosure () -> TelemetryOperation) -> OpenSpan? {
    guard isMeasured, let telemetry else { return nil }
    return telemetry.open(operation(), in: session.current.span)
  }

  /// Takes a figure, if anything measures the session.
  func record(_ metric: @autoclosure () -> TelemetryMetric) {
    if isMeasured, let telemetry { telemetry.record(metric()) }
  }

  /// Notes that what follows is a part of the caller's span.
  func noteCaller() {
    if isMeasured, let telemetry { session.current.span = telemetry.openCaller }
  }

  /// Does what a caller asks for, which is a part of the caller's span.
  func within(caller body: () -> Void) {
    guard isMeasured, let telemetry, !session.current.isRunning else { return body() }
    session.current.span = telemetry.openCaller
    body()
    session.current.span = nil
  }

  /// Notes what an action that is taken from the queue is a part of.
  func take(_ queued: QueuedAction) {
    guard isMeasured else { return }
    session.current.span = queued.span
    record(.queue(session.queuedCount))
  }

  /// Begins the span of an action; returns the one that contains what follows from it.
  func begin(_ action: Action) -> (own: OpenSpan?, innermost: OpenSpan?) {
    guard isMeasured else { return (nil, nil) }
    let own = open(.action(action.type, id: action.id, in: session.id))
    return (own, own ?? session.current.span)
  }

  /// Ends the span of an action; `error` is nil if it was carried out.
  func end(_ span: OpenSpan?, of action: Action, _ error: DispatchError? = nil) {
    guard isMeasured, let telemetry else { return }
    let result = error.map { TelemetryResult($0) } ?? .done
    span?.end(result)
    // Otherwise whoever types names would make metrics.
    let isKnown =
      switch error {
      case .malformedType, .unknownType: false
      default: true
      }
    telemetry.record(.action(isKnown ? action.type.moduleName : nil, result))
  }

  /// Tries one route, and measures that; nil if it declines.
  ///
  /// - Throws: ``RoutingError``
  func measure(
    _ sequence: RoutingSequence, _ result: consuming RouteResult, _ route: Bound<Route>,
    _ ids: inout ScreenIDs
  ) throws(RoutingError) -> RoutingSequence.Step? {
    let pattern = result.pattern
    guard let span = open(.route(pattern, of: route.owner, in: session.id)) else {
      return try sequence.take(result, route, &ids)
    }
    let outer = session.current.span
    session.current.span = span
    defer { session.current.span = outer }
    do throws(RoutingError) {
      let step = try sequence.take(result, route, &ids)
      span.end(step == nil ? .refused("declined") : .done)
      return step
    } catch {
      span.end(TelemetryResult(error))
      throw error
    }
  }

  /// The span that contains what follows from the code that runs; nil if nothing measures it.
  var cause: OpenSpan? { isMeasured ? session.current.span : nil }

  /// The spans of a task that is being made; nil if nothing measures it.
  var ofTask: TaskSpans? {
    guard isMeasured else { return nil }
    return telemetry.map { TaskSpans(after: session.current.span, for: $0) }
  }

  /// Whether anything measures the host.
  private var isMeasured: Bool { session.environment.activity.isMeasured }

  /// What measures the session; nil for nothing, and while something is carried out again.
  private var telemetry: (any Telemetry)? {
    guard let telemetry = session.environment.activity.telemetry, !session.current.isReplay else {
      return nil
    }
    return telemetry
  }
}

extension Session {
  package var spans: SessionSpans { SessionSpans(session: self) }
}

extension TelemetryResult {
  /// Makes the result of an action that wasn't carried out.
  ///
  /// The messages of errors aren't in it, since they may hold parts of payloads.
  package init(_ error: DispatchError) {
    switch error {
    case .fault(let fault): self.init(fault)
    case .refused(let refusal): self.init(refusal)
    case .routing(let error): self.init(error)
    case .notKept: self = .failed("not kept")
    case .tooManyFollowing, .followingTooLong, .tooManyMappings, .tooManyNavigations,
      .tooManyEffects:
      self = .failed("led to too much")
    case .interrupted, .notFinished, .displaced: self = .cancelled
    case .malformedType, .unknownType: self = .refused("unknown type")
    case .notInService(let module, _, _): self = .refused("module \(module) isn't in service")
    case .suspended(let module): self = .refused("module \(module) is suspended")
    case .keptBack(let module, _, _): self = .refused("module \(module) doesn't let it go back")
    case .reservedForHost, .notGranted: self = .refused("not granted")
    case .invalidPayload, .unencodable: self = .refused("invalid payload")
    case .batchTooLong, .queueFull, .queueTooLarge, .memoryFull: self = .refused("no room")
    case .readOnlyView, .withinReducer: self = .refused("not here")
    case .navigation: self = .refused("impossible navigation")
    case .paused, .timelineLocked, .timeline, .noSession:
      self = .refused("the session stands still")
    }
  }

  /// Makes the result of a failed registration, without the message of its code.
  package init(_ fault: Fault) {
    self = fault.refusal.map { .init($0) } ?? .failed(fault.headline)
  }

  private init(_ refusal: Refusal) {
    self = .refused(refusal.origin.map { "\($0.registration) of module \($0.module)" } ?? "refused")
  }

  /// Makes the result of a routing that led nowhere, without the URL.
  init(_ error: RoutingError) {
    switch error.reason {
    case .fault(let fault): self.init(fault)
    case .refused(let refusal): self.init(refusal)
    case .suspended(let module): self = .refused("module \(module) is suspended")
    case .vetoed(let module, _, _): self = .refused("a routing observer of module \(module)")
    case .replaced: self = .cancelled
    case .waiting, .unanswered, .malformed, .noRoute, .wrongParameter, .declined, .handlersOnly,
      .redirectLoop, .tooManyRedirects, .option, .parent, .parentLoop, .tooManyParents,
      .noPresenter, .notPresented, .covered, .navigation:
      self = .refused("not routed")
    }
  }
}
