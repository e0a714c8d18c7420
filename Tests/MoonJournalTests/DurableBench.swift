import Glibc
import MoonJournal
import MoonTestSupport
import Moonwire
import Synchronization

/// A server that counts what it is asked.
final class Shop: Sendable {
  private struct Facts {
    var keys: [String: [String]] = [:]
    var heldStep: String?
    var answersLeft = Int.max
    var isHolding = false
    var held: [CheckedContinuation<Void, Never>] = []
    /// How often the questions that waited were answered.
    var answerings = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var watch: (@Sendable (String) -> Void)?
  }

  private let facts = Mutex(Facts())

  deinit { answerHeld() }

  /// The idempotency keys with which a step was asked.
  func keys(of step: String) -> [String] { facts.withLock { $0.keys[step] ?? [] } }

  /// Doesn't answer a step any more.
  func holdBack(_ step: String) { facts.withLock { $0.heldStep = step } }

  /// Calls a function with each step that is asked.
  func watch(_ body: @escaping @Sendable (String) -> Void) { facts.withLock { $0.watch = body } }

  /// Answers the questions that wait.
  func answerHeld() {
    let held = facts.withLock { facts -> [CheckedContinuation<Void, Never>] in
      defer { facts.held = [] }
      facts.heldStep = nil
      facts.answerings += 1
      return facts.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Answers new questions again.
  func release() { facts.withLock { $0.heldStep = nil } }

  /// Waits until a step is asked that isn't answered.
  func waitUntilAsked(_ step: String) async {
    await withCheckedContinuation { continuation in
      let isAsked = facts.withLock { facts in
        if facts.keys[step] != nil { return true }
        facts.waiters.append(continuation)
        return false
      }
      if isAsked { continuation.resume() }
    }
  }

  private func ask(_ step: String, _ key: String) async throws -> String {
    facts.withLock { $0.watch }?(step)
    let (waiters, isHeld, answerings) = facts.withLock { facts in
      facts.keys[step, default: []].append(key)
      facts.answersLeft -= 1
      let isLast = facts.answersLeft < 0
      if isLast { facts.isHolding = true }
      let isHeld = facts.heldStep == step
      defer { if isHeld, !isLast { facts.waiters = [] } }
      return (isHeld && !isLast ? facts.waiters : [], isLast || isHeld, facts.answerings)
    }
    for waiter in waiters { waiter.resume() }
    if isHeld { await waitForAnswer(after: answerings) }
    if step.hasPrefix("bad") { throw ShopFailure() }
    return "ok"
  }

  /// Waits until the questions are answered that wait, which may have happened since the question.
  private func waitForAnswer(after answerings: Int) async {
    await withCheckedContinuation { continuation in
      let isAnswered = facts.withLock { facts in
        if facts.answerings > answerings { return true }
        facts.held.append(continuation)
        return false
      }
      if isAnswered { continuation.resume() }
    }
  }

  private struct ShopFailure: ServiceFailure {
    let code = "sold_out"
    let description = "the shop has sold out"
  }

  /// Doesn't answer any more after some answers.
  func answer(_ count: Int) {
    facts.withLock {
      $0.answersLeft = count
      $0.isHolding = false
    }
  }

  /// Whether a question waits that isn't answered.
  var isHolding: Bool { facts.withLock { $0.isHolding } }

  var service: Service {
    Service(
      "shop", "A server that counts what it is asked.",
      functions: [
        .asynchronous(
          "ask", "Asks for a step.", .string("step"), .string("item"), returns: "string"
        ) { [self] call, step, _ in
          .string(try await ask(step, call.idempotencyKey?.string ?? "none"))
        }
      ])
  }
}

/// A script directory, a journal and a server, for several runs that are killed.
struct DurableBench {
  let folder: ScriptFolder
  let shop = Shop()
  private let memoryQuota: Int?
  private let offset = Offset()

  /// A time that has passed beside that of the system.
  private final class Offset: Sendable {
    private let value = Mutex(0.0)
    var seconds: Double { value.withLock { $0 } }
    func add(_ seconds: Double) { value.withLock { $0 += seconds } }
  }

  /// Lets time pass while no program runs.
  func pass(seconds: Double) { offset.add(seconds) }

  init(_ files: [String: String], memoryQuota: Int? = nil) throws {
    folder = try ScriptFolder(files)
    self.memoryQuota = memoryQuota
  }

  var path: String { folder.path("../journal") }

  func host() async throws -> Host {
    var options = HostOptions()
    options.budgets = Budgets(all: .seconds(60))
    options.actionBudget = .seconds(120)
    options.followingBudget = .seconds(120)
    options.services = [shop.service]
    if let memoryQuota { options.memoryQuota = memoryQuota }
    options.timeline = Timeline.Limits()
    options.clock = Clock { [offset] in Clock.system.now() + offset.seconds }
    let host = try Host(directory: folder.root, options: options)
    try await host.load()
    return host
  }

  /// Begins a task, and kills the program when the task asks for a step.
  func begin(until step: String) async throws {
    shop.holdBack(step)
    try await run { host, session in
      try await host.dispatch(Action("orders/place", ["item": "tea"]), to: session)
      await shop.waitUntilAsked(step)
    }
    shop.release()
  }

  /// Checks the tasks against the code as it is.
  func check() async throws -> [TaskCheck] {
    var checks = TaskChecks()
    try RecordedRun(path).read { _, entry in
      checks.take(entry)
      return true
    }
    let host = try await host()
    return await host.perform { [checks] in checks.results(on: $0) }
  }

  /// Goes on with the session until no task runs; returns the steps that module `orders` noted.
  func steps() async throws -> [String] {
    try await run(resumed: true) { host, session in
      _ = await host.waitForTasks(in: session, within: .seconds(20))
      return await Self.steps(of: session, on: host)
    }
  }

  /// Returns the steps that module `orders` noted.
  static func steps(of session: SessionID, on host: Host) async -> [String] {
    (await host.state(of: session)?["orders"]?["steps"]?.listValue ?? List())
      .compactMap(\.stringValue)
  }

  /// Runs a session, new or resumed, and drops the host as if the program were killed.
  @discardableResult
  func run<Result: Sendable>(
    resumed: Bool = false, _ body: (Host, SessionID) async throws -> Result
  ) async throws -> Result {
    let file = try store(resumed: resumed)
    defer { file.kill() }
    let (host, session) = try await open(file, resumed: resumed)
    return try await body(host, session)
  }

  /// Runs a new session, and closes it while its task waits for the answer to a step, which comes
  /// afterwards.
  func closeSession(whileAsking step: String) async throws {
    shop.holdBack(step)
    try await run { host, session in
      try await host.dispatch(Action("orders/place"), to: session)
      await shop.waitUntilAsked(step)
      await host.closeSession(session)
    }
    shop.release()
  }

  /// Runs a session, new or resumed, that is killed after some writes, unless no task runs before.
  ///
  /// A new session begins a task. Returns whether it could, and whether the session has done all.
  func run(resumed: Bool = false, writes: Int) async throws -> (begins: Bool, isOver: Bool) {
    let file = try store(resumed: resumed, writes: writes)
    defer { file.kill() }
    guard let (host, session) = try? await open(file, resumed: resumed) else {
      return (false, false)
    }
    let outcome = resumed ? nil : try? await host.dispatch(Action("orders/place"), to: session)
    while !file.isKilled {
      let work = await host.waitForTasks(in: session, within: .milliseconds(5))
      if work.running.isEmpty { return (outcome != nil, !file.isKilled) }
    }
    return (outcome != nil, false)
  }

  /// Changes the texts of the journal's records.
  func rewrite(_ change: (String) -> String) throws {
    let file = try JournalFile(path, for: .reading)
    var records: [JournalRecord] = []
    try file.read(from: 0) { record in
      let text = change(String(decoding: record.bytes, as: UTF8.self))
      records.append(
        JournalRecord(number: record.number, kind: record.kind, bytes: Array(text.utf8)))
      return true
    }
    file.close()
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    let rewritten = try JournalFile(path, for: .beginning)
    try rewritten.append(records)
    rewritten.close()
  }

  private func store(resumed: Bool, writes: Int = .max) throws -> MortalStore {
    let file = resumed ? try RecoveredJournal(path).file : try JournalFile(path, for: .beginning)
    return MortalStore(file, writes: writes)
  }

  private func open(_ file: MortalStore, resumed: Bool) async throws -> (Host, SessionID) {
    let host = try await host()
    let journal = Journal(in: file)
    let session =
      resumed
      ? try await journal.resumeSession(on: host) : try await journal.openSession(on: host)
    return (host, session)
  }
}

/// A store that a session can't use any more from some moment on, as if its program were killed.
private final class MortalStore: JournalStore {
  private let store: JournalFile
  private let isDead = Mutex(false)
  private let writesLeft: Mutex<Int>

  /// Makes the store; it dies before the write that follows after some.
  init(_ store: JournalFile, writes: Int) {
    self.store = store
    writesLeft = Mutex(writes)
  }

  /// Whether the session can't use the store any more.
  var isKilled: Bool { isDead.withLock { $0 } }

  /// Ends the use of the store, between two writes.
  func kill() {
    isDead.withLock { isDead in
      isDead = true
      store.close()
    }
  }

  private func countWrite() {
    let isLast = writesLeft.withLock { left in
      left -= 1
      return left < 0
    }
    if isLast { kill() }
  }

  private func use<Result>(
    _ body: (JournalFile) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    try isDead.withLock { isDead throws(JournalError) in
      guard !isDead else { throw JournalError(store.name, .gone) }
      return try body(store)
    }
  }

  var name: String { store.name }
  var appendsBriefly: Bool { store.appendsBriefly }
  var byteCount: Int { store.byteCount }

  func append(_ records: [JournalRecord]) throws(JournalError) {
    countWrite()
    try use { file throws(JournalError) in try file.append(records) }
  }

  func read(from number: Int64, _ body: (JournalRecord) -> Bool) throws(JournalError) {
    try use { file throws(JournalError) in try file.read(from: number, body) }
  }

  func stateNumbers() throws(JournalError) -> [Int64] {
    try use { file throws(JournalError) in try file.stateNumbers() }
  }

  func removeRecords(before number: Int64) throws(JournalError) {
    try use { file throws(JournalError) in try file.removeRecords(before: number) }
  }

  func close() {}
}
