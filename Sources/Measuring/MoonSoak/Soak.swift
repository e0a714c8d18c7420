import Logging
import Moonwire
import Synchronization

/// One run: a host on a directory, edited and dispatched to until enough reloads have happened.
final class Soak: Sendable {
  /// The permitted growth of memory in bytes between an early and the last part of a run.
  ///
  /// It covers the noise of the allocator. Ten thousand leaked generations of 100 KB would be a
  /// gigabyte.
  static let residentAllowance = 16 << 20
  /// The permitted growth of the number of threads.
  ///
  /// Those of Swift's pool and of timers come and go.
  static let threadAllowance = 6
  /// The fraction of a run that counts as warm-up.
  static let warmUpShare = 0.2
  /// The number of edits between two checks during which the directory rests.
  static let editsPerQuietCheck = 250
  /// The time in seconds within which the last save of a storm must be in service.
  static let servingSeconds = 20.0
  /// The time in seconds without a dispatch after which the host counts as hung.
  static let hungSeconds = 30.0
  /// The maximum number of dispatchers.
  static let dispatchersMax = 2

  struct Settings: Sendable {
    var reloads = 10_000
    var seconds = 1_200.0
    var seed: UInt64 = 1
    /// The chapter to run; nil for the storm and all chapters.
    var chapter: String?
  }

  let settings: Settings
  let verdicts: Verdicts
  private let folder: Folder
  private let isQuiet = Atomic(false)
  private let samples = Mutex<[(reloads: Int, bytes: Int, threads: Int)]>([])
  private let begun = ProcessUse.seconds

  init(_ settings: Settings, folder: Folder, verdicts: Verdicts) {
    self.settings = settings
    self.folder = folder
    self.verdicts = verdicts
  }

  /// Runs everything; the results are in the verdicts.
  func run() async throws {
    if settings.chapter == nil { try await runStorm() }
    for chapter in Self.chapters {
      if let only = settings.chapter, only != chapter.name { continue }
      try await run(chapter)
    }
  }

  private func runStorm() async throws {
    // Otherwise what the process creates once would look like a leak.
    try await openAndClose(count: 2)
    let descriptors = ProcessUse.descriptorCount
    let threads = ProcessUse.threadCount
    try await storm()
    try await openAndClose(count: 20)
    await settles(
      "descriptors given back", { ProcessUse.descriptorCount <= descriptors },
      {
        "After closing, \(ProcessUse.descriptorCount) descriptors are open; it was \(descriptors)."
      })
    await settles(
      "threads given back", { ProcessUse.threadCount <= threads + Self.threadAllowance },
      { "After closing, \(ProcessUse.threadCount) threads run; it was \(threads)." })
    judgeSamples()
  }

  // MARK: The storm

  private var options: HostOptions {
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.memoryQuota = 4 << 20
    options.budgets[.load] = .milliseconds(250)
    options.budgets[.reducer] = .milliseconds(250)
    options.budgets[.middleware] = .milliseconds(250)
    options.budgets[.observer] = .milliseconds(250)
    options.budgets[.hook] = .milliseconds(250)
    return options
  }

  private func storm() async throws {
    weak var leaving: Host?
    do {
      var editor = Editor(root: folder.root, seed: settings.seed)
      let serial = editor.writeGood()
      let host = try Host(directory: folder.root, options: options)
      leaving = host
      try await host.watch()
      try await host.load()
      try await host.add(Self.audit())
      let session = await host.openSession()
      let storm = Storm(host: host, session: session, verdicts: verdicts)
      let listener = listen(to: host.events(), storm)
      await servesGood(host, serial)
      let tasks = dispatchers(storm) + [reloader(host, storm), reporter(storm)]
      await editAndReload(host, storm, &editor)
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
      await storm.checkAtRest()
      report(storm.soFar, "end")
      await host.close()
      await listener.value
      if await host.state(of: session) != nil {
        verdicts.violate("session closed", "A closed host still has a session.")
      }
    }
    await settles("host ends", { leaving == nil }, { "The host lives on after it was closed." })
  }

  /// Returns a module in Swift that counts the same things as the others.
  private static func audit() throws -> Module {
    guard let name = ModuleName("audit") else { throw CancellationError() }
    var audit = Module(name: name, state: ["added": 0, "heard": 0])
    let count = { (field: Key, type: Text) in
      Reducer(.exact(type)) { state, _ in
        var map = state.mapValue ?? Map()
        map[field] = .int((map[field]?.intValue ?? 0) + 1)
        state = .map(map)
      }
    }
    audit.reducers = [count("added", "tally/add"), count("heard", "victim/add")]
    return audit
  }

  private func dispatchers(_ storm: Storm) -> [Task<Void, Never>] {
    (1...Self.dispatchersMax).map { number in
      let seed = settings.seed &+ UInt64(number)
      return Task.detached { await storm.run(seed: seed) }
    }
  }

  /// Reloads single modules while their files are being written.
  private func reloader(_ host: Host, _ storm: Storm) -> Task<Void, Never> {
    Task.detached { [self] in
      var random = Randomness(seed: settings.seed &+ 100)
      let names = ["tally", "mirror", "victim", "guest"].compactMap { ModuleName($0) }
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(random.number(1..<60)))
        if isQuiet.load(ordering: .sequentiallyConsistent) { continue }
        await host.reload(names[random.number(0..<names.count)])
        storm.note { $0.calls += 1 }
      }
    }
  }

  private func editAndReload(_ host: Host, _ storm: Storm, _ editor: inout Editor) async {
    var random = Randomness(seed: settings.seed &+ 200)
    var editsToQuiet = 0
    var descriptors: Int?
    while storm.soFar.reloads < settings.reloads, isInTime {
      let module = await editor.edit()
      storm.note { $0.edits += 1 }
      switch random.number(0..<10) {
      case 0:
        await host.reload()
        storm.note { $0.calls += 1 }
      case 1..<4:
        await host.reload(ModuleName(module))
        storm.note { $0.calls += 1 }
      default:
        // The watcher reloads it.
        try? await Task.sleep(for: .microseconds(random.number(0..<8000)))
      }
      editsToQuiet += 1
      guard editsToQuiet >= Self.editsPerQuietCheck else { continue }
      editsToQuiet = 0
      await rest(host, storm, &editor, &descriptors)
    }
    await rest(host, storm, &editor, &descriptors)
  }

  private var isInTime: Bool { ProcessUse.seconds - begun < settings.seconds }

  /// Saves good versions, waits until the watcher has loaded them, and counts descriptors.
  private func rest(
    _ host: Host, _ storm: Storm, _ editor: inout Editor, _ descriptors: inout Int?
  ) async {
    isQuiet.store(true, ordering: .sequentiallyConsistent)
    defer { isQuiet.store(false, ordering: .sequentiallyConsistent) }
    await servesGood(host, editor.writeGood())
    let limit = descriptors
    await settles(
      "descriptors flat", { limit.map { ProcessUse.descriptorCount <= $0 } ?? true },
      { "\(ProcessUse.descriptorCount) descriptors are open; it was \(limit ?? 0)." })
    if descriptors == nil { descriptors = ProcessUse.descriptorCount }
    storm.note { $0.quietChecks += 1 }
  }

  /// Waits until all modules run in their last version.
  private func servesGood(_ host: Host, _ serial: Int) async {
    let expected = ["audit", "guest", "mirror", "tally", "victim"]
    var found = ""
    let end = ProcessUse.seconds + Self.servingSeconds
    while ProcessUse.seconds < end {
      let infos = await host.moduleInfos()
      if infos.map(\.name.text) == expected,
        infos.allSatisfy({
          $0.status == .running && ($0.file == nil || $0.description == "serial \(serial)")
        })
      {
        return
      }
      found = infos.map { "\($0.name) \($0.status) \($0.description ?? "")" }
        .joined(separator: ", ")
      try? await Task.sleep(for: .milliseconds(5))
    }
    verdicts.violate(
      "last save serves",
      "Not in service \(Int(Self.servingSeconds)) s after the last save, "
        + "serial \(serial): \(found).")
  }

  // MARK: Opening and closing

  private func openAndClose(count: Int) async throws {
    var editor = Editor(root: folder.root, seed: 0)
    let serial = editor.writeGood()
    for _ in 0..<count {
      let host = try Host(directory: folder.root, options: options)
      try await host.watch()
      try await host.load()
      try await host.add(Self.audit())
      let session = await host.openSession()
      await servesGood(host, serial)
      do throws(DispatchError) {
        try await host.dispatch(Action("tally/add", ["by": 1]), to: session)
      } catch {
        verdicts.violate("new host", "A new host doesn't answer: \(error).")
      }
      await host.close()
    }
  }

  // MARK: Watching

  private func listen(to events: AsyncStream<HostEvent>, _ storm: Storm) -> Task<Void, Never> {
    Task.detached {
      for await event in events {
        let kind = Self.kind(of: event)
        storm.note { $0.outcomes[kind, default: 0] += 1 }
      }
    }
  }

  private static func kind(of event: HostEvent) -> String {
    switch event {
    case .started: "started"
    case .reloaded: "reloaded"
    case .failed(let name, _, _): name == nil ? "stray" : "failed"
    case .recovered: "recovered"
    case .removed: "removed"
    case .restarted: "restarted"
    case .suspended, .resumed: "suspension"
    case .conflicts, .deadNames, .doubtfulNames: "conflicts"
    case .fault: "fault"
    case .slice: "slice"
    case .tasksChangedState: "worked"
    case .refused: "refused"
    case .dispatchFailed: "dispatchFailed"
    case .notKept: "notKept"
    case .recordingEnded: "recordingEnded"
    case .screenChanged: "screen"
    case .directoryLost, .directoryFound, .watching: "directory"
    case .failuresLeftOut: "failuresLeftOut"
    case .longCall: "longCall"
    }
  }

  private func reporter(_ storm: Storm) -> Task<Void, Never> {
    Task.detached { [self] in
      var last = (count: -1, time: ProcessUse.seconds)
      var ticks = 0
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        let progress = storm.soFar
        let now = ProcessUse.seconds
        samples.withLock {
          $0.append((progress.reloads, ProcessUse.residentBytes, ProcessUse.threadCount))
        }
        let count = progress.accepted + progress.refused
        if count != last.count {
          last = (count, now)
        } else if now - last.time > Self.hungSeconds {
          finish(
            with: verdicts,
            more: "The host hangs: nothing was dispatched for "
              + "\(Int(Self.hungSeconds)) s, after \(progress.reloads) reloads.")
        }
        ticks += 1
        if ticks % 10 == 0 { report(progress, "…") }
      }
    }
  }

  private func report(_ progress: Progress, _ word: String) {
    let seconds = Int(ProcessUse.seconds - begun)
    let outcomes = progress.outcomes.sorted { $0.key < $1.key }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print(
      """
      \(word) \(seconds) s: \(progress.reloads) reloads (\(progress.calls) by call) of \
      \(progress.edits) edits; \(progress.accepted) actions accepted, \(progress.refused) refused; \
      \(ProcessUse.residentBytes >> 20) MB, \(ProcessUse.descriptorCount) descriptors, \
      \(ProcessUse.threadCount) threads, \(progress.quietChecks) quiet checks; \(outcomes)
      """)
    flush()
  }

  /// Waits for a condition that holds soon; a violation if it doesn't.
  private func settles(
    _ check: String, _ isTrue: () -> Bool, _ sentence: () -> String
  ) async {
    let end = ProcessUse.seconds + Self.servingSeconds
    while !isTrue() {
      guard ProcessUse.seconds < end else { return verdicts.violate(check, sentence()) }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  private func judgeSamples() {
    let all = samples.withLock { $0 }
    let reloads = all.last?.reloads ?? 0
    let warm = all.filter { Double($0.reloads) >= Double(reloads) * Self.warmUpShare }
    guard warm.count >= 8 else {
      print("too short to judge memory and threads")
      return
    }
    let early = Array(warm.prefix(warm.count / 4))
    let late = Array(warm.suffix(warm.count / 4))
    let bytes = (median(early.map(\.bytes)), median(late.map(\.bytes)))
    let threads = (median(early.map(\.threads)), median(late.map(\.threads)))
    print(
      """
      resident memory: \(bytes.0 >> 10) KB after warm-up, \(bytes.1 >> 10) KB at the end \
      (medians); threads: \(threads.0), \(threads.1)
      """)
    if bytes.1 > bytes.0 + Self.residentAllowance {
      verdicts.violate(
        "memory flat", "Resident memory grew from \(bytes.0 >> 20) to \(bytes.1 >> 20) MB.")
    }
    if threads.1 > threads.0 + Self.threadAllowance {
      verdicts.violate("threads flat", "Threads grew from \(threads.0) to \(threads.1).")
    }
  }

  private func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
}
