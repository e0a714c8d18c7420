import Moonwire
import Synchronization

/// The app of one test function: a host and a session of its own, a clock that stands still, and
/// services that the test answers.
final class TestedApp: Sendable {
  /// The maximum real time for everything that follows from a request.
  private static let timeMax = Duration.seconds(30)

  let host: Host
  let session: SessionID
  let clock: StillClock
  let answers: TestAnswers
  let faults: FaultLog

  /// Makes the app of a test.
  ///
  /// - Throws: ``HostError`` or ``FilesError``.
  init(
    _ directory: String, _ base: HostOptions, beginning: Map, time: Double?,
    keepingIn data: String, adding builtIns: (Host) async throws -> Void
  ) async throws {
    clock = time.map { StillClock(beginning: $0) } ?? StillClock()
    answers = TestAnswers()
    var options = base
    options.clock = clock.clock
    options.services = TestAnswers.services(answeredBy: answers)
    options.surroundings.dataDirectory = data
    host = try Host(directory: directory, options: options)
    let faults = FaultLog()
    self.faults = faults
    host.deliverEvents { faults.note($0) }
    try await builtIns(host)
    try await host.load()
    let versions = await host.moduleInfos().map { ($0.name, $0.version) }
    session = await host.openSession(
      restoring: SavedState(
        slices: beginning,
        versions: Dictionary(versions, uniquingKeysWith: { $1 }), startedModules: []))
  }

  private var still: StillSession {
    StillSession(
      session, on: host, clock, within: Self.timeMax, besides: { [answers] in answers.waitCount })
  }

  /// Returns why the session can't begin with the slices of a test; nil if it has begun with them.
  func refusal(of slices: Map) async -> String? {
    let names = await host.moduleInfos().map(\.name.text)
    if let missing = TestSuggestions.missingModule(in: slices, names) { return missing }
    guard let kept = await host.keptSlices(of: session).first else { return nil }
    return "the option state: the slice can't be that of \(kept.module)"
      + (faults.misshapen.map { ": \($0)" } ?? "")
  }

  /// Waits until no service is working; returns false if that takes too long.
  ///
  /// Calls that wait for the test don't count as working.
  func settle() async -> Bool { await still.settle() }

  /// Lets a time pass; returns false if there is too much to do meanwhile.
  func advance(_ time: Duration) async -> Bool { await still.advance(time) }
}

/// The faults of modules during a test.
final class FaultLog: Sendable {
  private let texts = Mutex<[String]>([])
  private let refusal = Mutex<SliceRefusal?>(nil)

  /// Notes an event, if it is about a fault.
  func note(_ event: HostEvent) {
    let text: String
    switch event {
    case .slice(_, _, version: _, .misshapen(let refusal)):
      return self.refusal.withLock { $0 = $0 ?? refusal }
    case .fault(_, let fault): text = Self.text(of: fault)
    case .dispatchFailed(_, let failure) where failure.error.refusal == nil:
      text = "\(failure.action.type): \(failure.error)"
    default: return
    }
    texts.withLock { $0.append(text) }
  }

  /// Notes the failure of a module that a function of `t` raises, since the test may catch it.
  func note(_ error: DispatchError) {
    guard case .fault(let fault) = error else { return }
    texts.withLock { $0.append(Self.text(of: fault)) }
  }

  /// Notes the same of the use of a screen.
  func note(_ error: ScreenError) {
    switch error {
    case .control(_, let error), .change(_, _, let error), .key(_, _, let error),
      .dispatch(let error):
      note(error)
    default: break
    }
  }

  private static func text(of fault: Fault) -> String {
    fault.sentence + (fault.place.map { " (\($0))" } ?? "")
  }

  /// What is wrong with the first slice that a module couldn't take.
  var misshapen: String? { refusal.withLock { $0 }.map { "\($0)" } }

  /// Removes and returns the texts of the faults so far.
  func take() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }
}
