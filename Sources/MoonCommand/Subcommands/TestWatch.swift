import MoonPrompt
import MoonTerminal
import MoonTesting
import Moonwire
import Synchronization

/// Runs tests again whenever files are saved, as far as the save can have changed their results.
struct TestWatch {
  let inspection: AppInspection
  let directory: ScriptDirectory
  let pattern: String?
  let format: TestFormat
  let output: TerminalOutput

  /// Runs all tests, and then, until the program ends, those that saved files concern.
  ///
  /// - Throws: ``FilesError`` if the directory can't be watched.
  func run() async throws(FilesError) {
    let changes = Changes()
    let watcher = try DirectoryWatcher(directory) { changes.add($0) }
    defer { watcher.stop() }
    var known: TestRun?
    // What the last complete run hasn't seen; nil for anything.
    var pending: Set<String>?
    await runTests(after: &pending, &known)
    for await _ in changes.stream {
      let changed = changes.take()
      if let changed, changed.isEmpty { continue }
      pending = changed.flatMap { pending?.union($0) }
      await runTests(after: &pending, &known)
    }
  }

  private func runTests(after pending: inout Set<String>?, _ known: inout TestRun?) async {
    do throws(InspectionError) {
      let run = try await inspection.testRun(matching: pattern, after: pending, since: known)
      let what = pending.map { TerminalText.singleLine(Wording.list($0.sorted())) } ?? "all"
      (known, pending) = (run, [])
      if let note = run.note { output.printNotice(note) }
      output.printNotice("\(what): \(Wording.counted(run.results.count, "test"))")
      output.printResult(run.results.lines(format, output.resultStyle))
    } catch {
      output.printNotice(error.report)
    }
  }
}

/// The paths that have changed since they were last taken.
private final class Changes: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  /// Nil if anything may have changed.
  private let paths = Mutex<Set<String>?>([])

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ event: DirectoryWatcher.Event) {
    switch event {
    case .changed(let changed):
      paths.withLock { $0?.formUnion(changed.subtracting([ScriptDirectory.annotationsPath])) }
    case .rescan: paths.withLock { $0 = nil }
    case .notice: return
    }
    continuation.yield()
  }

  func take() -> Set<String>? {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
