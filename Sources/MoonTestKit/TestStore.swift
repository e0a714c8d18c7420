// A test needs the types of the features that it is about.
@_exported public import Moonwire
public import Testing

/// A feature in a session of its own, for tests that say what each action changes.
///
/// ```swift
/// @Test func measuring() async throws {
///   let store = try await TestStore(Thermometer())
///   await store.send(Thermometer.Measure(celsius: 21)) { $0.celsius = 21 }
///   await store.send(Thermometer.MeasureLater(celsius: 25))
///   await store.advance(by: .seconds(1))
///   await store.receive(Thermometer.Measure(celsius: 25)) { $0.celsius = 25 }
///   await store.finish()
/// }
/// ```
///
/// Its clock stands still until ``advance(by:)``. Whatever differs from what the test says is an
/// issue of the test, with the paths of the values that differ.
///
/// An exhaustive store, as by default, also requires that the test receives all actions that
/// follow, also those of taps, and that no effect is left at the end. Otherwise, actions that the
/// test doesn't mention are passed over, and so is what else has changed.
///
/// The end is ``finish(sourceLocation:)``. Without it, what is left when the store goes away is an
/// issue at the place where the store was made. That knows of nothing that has happened since the
/// store's last function returned, so call it.
public final class TestStore<F: Feature>: Sendable {
  /// The session.
  public let session: HostSession
  /// Whether all that happens must be mentioned.
  public let isExhaustive: Bool
  private let log: ActionLog
  private let clock: StillClock
  private let timeMax: Duration
  private let origin: SourceLocation

  private var still: StillSession {
    StillSession(session.id, on: session.host, clock, within: timeMax, awaitsCode: true)
  }

  /// Opens a session with a feature.
  ///
  /// Other features and the scripts of a directory may be with it. `services` answer what they ask,
  /// so pass services that a test controls. Code of an effect that waits for nothing of the host
  /// has `timeMax` of real time to end or to wait; if that is too little, it is an issue. So is a
  /// script that doesn't load.
  ///
  /// - Throws: ``HostError`` or ``FilesError``.
  public init(
    _ feature: F, with others: [any Feature] = [], scripts directory: String? = nil,
    services: [Service] = [], options: HostOptions = HostOptions(), isExhaustive: Bool = true,
    within timeMax: Duration = .seconds(5), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (log, clock) = (ActionLog(ofSlice: feature.name), StillClock())
    var options = options
    options.clock = clock.clock
    options.trial.logsProblems = false
    let host = try await Host(
      directory, features: [feature] + others, services: services, options: options,
      isWatching: false)
    host.deliverEvents { log.note($0) }
    let problems = await host.perform {
      $0.moduleInfos().flatMap(\.problems) + $0.strayProblems()
    }
    problems.forEach(log.note)
    try await host.add(log.module(named: ModuleName(literal: "test_store")))
    session = try await host.session()
    self.log = log
    self.clock = clock
    self.isExhaustive = isExhaustive
    self.timeMax = timeMax
    origin = sourceLocation
    await settle(sourceLocation)
    log.clear()
  }

  deinit {
    guard !log.isFinished else { return }
    reportFaults(origin)
    if isExhaustive { reportRest(origin) }
  }

  /// The state of the feature, or nil and an issue of the test if the slice isn't one.
  public var state: F.State? {
    get async {
      do {
        return try await session.state(F.State.self)
      } catch {
        Issue.record("\(error)")
        return nil
      }
    }
  }

  // MARK: Actions

  /// Dispatches an action, and checks what it changes in the feature's state.
  ///
  /// `change` makes of the state before the action the one after it.
  public func send(
    _ action: some TypedAction, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout F.State) throws -> Void = { _ in }
  ) async {
    guard let action = encoded(action, sourceLocation) else { return }
    await send(action, sourceLocation: sourceLocation, change)
  }

  /// Dispatches an action, and checks what it changes in the feature's state.
  public func send(
    _ action: Action, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout F.State) throws -> Void = { _ in }
  ) async {
    begin(action, sourceLocation)
    do throws(DispatchError) {
      try await session.dispatch(action)
    } catch {
      return record("\(action.type): \(error)", sourceLocation)
    }
    await settle(sourceLocation)
    guard let entry = log.takeFirst() else {
      return record("\(action.type) wasn't carried out", sourceLocation)
    }
    check(entry, change, sourceLocation)
  }

  /// Dispatches an action that a module refuses, and checks the reason that it gives.
  public func send(
    _ action: some TypedAction, refused reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard let action = encoded(action, sourceLocation) else { return }
    await send(action, refused: reason, sourceLocation: sourceLocation)
  }

  /// Dispatches an action that a module refuses, and checks the reason that it gives.
  public func send(
    _ action: Action, refused reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    begin(action, sourceLocation)
    do throws(DispatchError) {
      try await session.dispatch(action)
      await settle(sourceLocation)
      log.clear()
      record("\(action.type) wasn't refused", sourceLocation)
    } catch {
      guard let refusal = error.refusal else {
        return record(
          #"\#(action.type): expected the refusal "\#(reason)", but it failed: \#(error)"#,
          sourceLocation)
      }
      if refusal.reason == reason { return }
      record(
        #"\#(action.type): expected the refusal "\#(reason)", got "\#(refusal.reason)""#,
        sourceLocation)
    }
  }

  /// Reports what should have been received before an action is sent.
  private func begin(_ action: Action, _ location: SourceLocation) {
    let waiting = log.entries
    if isExhaustive, !waiting.isEmpty {
      record("before \(action.type), \(Self.missing(waiting))", location)
    }
    log.clear()
  }

  /// Checks the next action that an effect or another part of a module has dispatched, and what it
  /// has changed.
  ///
  /// Each of several actions that were carried out as one has the changes of all.
  public func receive(
    _ expected: some TypedAction, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout F.State) throws -> Void = { _ in }
  ) async {
    guard let expected = encoded(expected, sourceLocation) else { return }
    await receive(expected, sourceLocation: sourceLocation, change)
  }

  /// Checks the next action that an effect or another part of a module has dispatched, and what it
  /// has changed.
  ///
  /// Each of several actions that were carried out as one has the changes of all.
  public func receive(
    _ expected: Action, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout F.State) throws -> Void = { _ in }
  ) async {
    await settle(sourceLocation)
    let waiting = log.entries
    while let entry = log.takeFirst() {
      if entry.action.type == expected.type {
        let changes = Diff.changes(
          from: expected.scriptPayload, to: entry.action.scriptPayload
        ).changes
        if changes.isEmpty { return check(entry, change, sourceLocation) }
        guard !isExhaustive else {
          return record(
            "the payload of \(expected.type) differs:\n" + Self.lines(changes), sourceLocation)
        }
      } else if isExhaustive {
        return record("\(expected.type) is expected, got \(entry.action.type)", sourceLocation)
      }
    }
    let running = log.running
    record(
      "\(expected.type) wasn't dispatched"
        + (waiting.isEmpty ? "" : ", but \(Self.names(waiting))")
        + (running.isEmpty ? "" : "; \(running) still runs: advance the clock, or wait"),
      sourceLocation)
  }

  /// Lets a time pass on the session's clock.
  public func advance(by time: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
    if await !still.advance(time) {
      record("there is too much to do, or an effect doesn't come to rest", sourceLocation)
    }
    log.running = await runningEffects()
  }

  /// Ends the test: the session is closed, and an exhaustive store reports the actions that weren't
  /// received, and the effects that still run.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await settle(sourceLocation)
    log.finish()
    if isExhaustive { reportRest(sourceLocation) }
    await session.host.close()
  }

  /// Reports what an exhaustive test has left.
  private func reportRest(_ location: SourceLocation) {
    let waiting = log.entries
    if !waiting.isEmpty { record(Self.missing(waiting), location) }
    let running = log.running
    if !running.isEmpty { record("at the end, \(running) still runs", location) }
  }

  // MARK: Checks

  private func encoded(_ action: some TypedAction, _ location: SourceLocation) -> Action? {
    do throws(ValueCodingError) {
      return try Action(action)
    } catch {
      record("the payload can't be encoded: \(error)", location)
      return nil
    }
  }

  private func check(
    _ entry: ActionLog.Entry, _ change: (inout F.State) throws -> Void,
    _ location: SourceLocation
  ) {
    do {
      // A store that isn't exhaustive only requires that the change has been made.
      var expected = try ValueDecoder().decode(
        F.State.self, from: isExhaustive ? entry.before : entry.after)
      try change(&expected)
      // Encoded again, as a script may have written a whole number where the type has a `Double`.
      let actual = try ValueDecoder().decode(F.State.self, from: entry.after)
      let changes = try Diff.changes(
        from: ValueEncoder().encode(expected), to: ValueEncoder().encode(actual)
      ).changes
      guard !changes.isEmpty else { return }
      record(
        "the state after \(entry.action.type) differs:\n" + Self.lines(changes), location)
    } catch {
      record("the state after \(entry.action.type): \(error)", location)
    }
  }

  private func runningEffects() async -> String {
    await session.host.taskInfos(of: session.id).filter { $0.parent == nil }
      .map { "\($0.module) \($0.effect)" }.joined(separator: ", ")
  }

  /// Waits until all that follows has happened, and reports faults.
  private func settle(_ location: SourceLocation) async {
    let isAtRest = await still.settle()
    let running = await runningEffects()
    log.running = running
    if !isAtRest { record("\(running) doesn't come to rest within \(timeMax)", location) }
    reportFaults(location)
  }

  private func reportFaults(_ location: SourceLocation) {
    for fault in log.takeFaults() { record(fault, location) }
  }

  private func record(_ text: String, _ location: SourceLocation) {
    Issue.record(Comment(rawValue: text), sourceLocation: location)
  }

  private static func missing(_ entries: [ActionLog.Entry]) -> String {
    let (were, them) = entries.count == 1 ? ("was", "it") : ("were", "them")
    return "\(names(entries)) \(were) dispatched, but the test didn't receive \(them)"
  }

  private static func names(_ entries: [ActionLog.Entry]) -> String {
    entries.map { $0.action.type.string }.joined(separator: ", ")
  }

  private static func lines(_ changes: [Change]) -> String {
    changes.map { change in
      let (expected, actual) = (change.before?.canonicalText, change.after?.canonicalText)
      return "  \(change.path): expected \(expected ?? "nothing"), got \(actual ?? "nothing")"
    }.joined(separator: "\n")
  }
}
