package import MoonPrompt
package import MoonServices
import MoonTerminal
package import Moonwire
import Synchronization

/// The loading of an app once more, beside the host that runs it: for a check, or for its tests.
///
/// Nothing of the app starts, and it shares nothing with what runs but the files.
package final class AppInspection: Sendable {
  package let directory: String
  package let settings: ConfiguredSettings
  /// Returns the options for a host.
  package let options: @Sendable () -> HostOptions
  private let addBuiltIns: @Sendable (Host) async throws(HostError) -> Void
  private let turns = Mutex(Turns())

  /// Those who wait until the app that another inspects is gone.
  private struct Turns {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Makes the inspection of a directory; `options` are those of the running host as far as they
  /// say what modules may and have.
  package init(
    of directory: String, _ settings: ConfiguredSettings,
    options: @escaping @Sendable () -> HostOptions,
    addBuiltIns: @escaping @Sendable (Host) async throws(HostError) -> Void
  ) {
    (self.directory, self.settings) = (directory, settings)
    (self.options, self.addBuiltIns) = (options, addBuiltIns)
  }

  /// Runs the tests whose names, or whose files' paths, contain a text, or all.
  ///
  /// With `changed`, only those run whose results a change of these paths can have affected since a
  /// former run.
  ///
  /// - Throws: ``InspectionError``, before any test has run.
  package func testRun(
    matching pattern: String?, after changed: Set<String>? = nil, since former: TestRun? = nil
  ) async throws(InspectionError) -> TestRun {
    var options = options()
    options.isolateTests()
    let chosen = options
    return try await loading(chosen) {
      [directory, addBuiltIns] (host) throws(InspectionError) in
      let problems = await host.moduleInfos().flatMap(\.problems)
      guard problems.isEmpty else { throw .problems(problems) }
      do throws(TestFilesError) {
        var files = try TestFiles(in: directory, matching: pattern)
        let note = files.note
        let affected = AffectedTests(
          await host.perform { ModuleMentions.all(on: $0) }, files.words)
        if let changed { files.keep(affected.paths(changing: changed, since: former?.affected)) }
        let results = try await files.run(
          InspectedApp(host: host, options: chosen, addBuiltIns: addBuiltIns))
        return TestRun(results: results, note: note, affected: affected)
      } catch {
        throw .tests(error)
      }
    }
  }

  /// Loads the app, and calls a function with its host.
  ///
  /// - Throws: ``InspectionError``, or what the function throws.
  package func loading<R: Sendable>(
    _ options: HostOptions, _ body: (Host) async throws(InspectionError) -> R
  ) async throws(InspectionError) -> R {
    await takeTurn()
    defer { endTurn() }
    guard !Task.isCancelled else { throw .cancelled }
    let host: Host
    do throws(HostError) {
      host = try Host(directory: directory, options: options)
    } catch {
      throw .host(error)
    }
    do throws(InspectionError) {
      try await load(host)
      let result = try await body(host)
      await host.close()
      return result
    } catch {
      await host.close()
      throw error
    }
  }

  private func load(_ host: Host) async throws(InspectionError) {
    do throws(HostError) { try await addBuiltIns(host) } catch { throw .host(error) }
    do throws(FilesError) { try await host.load() } catch { throw .files(error) }
  }

  // MARK: Turns

  /// Waits until nobody else inspects, since an app may be large.
  private func takeTurn() async {
    await withCheckedContinuation { continuation in
      turns.withLock { turns in
        if turns.isTaken { return turns.waiting.append(continuation) }
        turns.isTaken = true
        continuation.resume()
      }
    }
  }

  private func endTurn() {
    turns.withLock { turns in
      guard turns.waiting.isEmpty else { return turns.waiting.removeFirst().resume() }
      turns.isTaken = false
    }
  }
}

/// The results of tests, and what is known about which files they depend on.
package struct TestRun: Sendable {
  package let results: [TestResult]
  /// What isn't a test though it looks like one.
  package let note: Report?
  let affected: AffectedTests
}

/// The reason that an app can't be inspected.
package enum InspectionError: Error {
  case host(HostError)
  /// The task was cancelled.
  case cancelled
  case files(FilesError)
  /// Modules have problems, so that tests of the app would say nothing.
  case problems([ModuleProblem])
  case tests(TestFilesError)

  /// The report, which has the first of several problems.
  package var report: Report {
    switch self {
    case .host(let error): error.report
    case .cancelled: Report("the app wasn't inspected to the end, since that was cancelled")
    case .files(let error): error.startReport
    case .problems(let problems): problems.first?.report ?? Report("a module has a problem")
    case .tests(let error): error.report
    }
  }
}
