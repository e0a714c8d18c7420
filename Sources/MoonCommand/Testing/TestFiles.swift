import Glibc
import Moonwire

/// The files of tests of a directory of scripts.
struct TestFiles {
  /// The maximum number of bytes of a file.
  static let byteCountMax = 64 << 20
  /// The time that a file may take to return its tests.
  private static let timeMax = Duration.seconds(10)

  private let directory: String
  /// The names of the files, sorted.
  private let names: [String]

  /// Finds the files whose names contain a text, or all.
  ///
  /// - Throws: ``TestFilesError``
  init(in scripts: String, matching pattern: String?) throws(TestFilesError) {
    directory = "\(scripts)/tests"
    names = try Self.names(in: directory).filter { pattern.map($0.contains) ?? true }
    guard !names.isEmpty else { throw .none(directory, pattern) }
  }

  private static func names(in directory: String) throws(TestFilesError) -> [String] {
    do throws(SystemError) {
      return try DirectoryNames.all(in: directory).filter { $0.hasSuffix(".lua") }
    } catch {
      if error.code == ENOENT { return [] }
      throw .unreadable(directory, error)
    }
  }

  /// Runs the tests of all files, in order.
  ///
  /// - Throws: ``TestFilesError``, before any test has run.
  func run(on host: Host) async throws(TestFilesError) -> [ModuleTestRun] {
    var tests: [ModuleTest] = []
    for name in names { tests += try await self.tests(in: name, on: host) }
    var runs: [ModuleTestRun] = []
    for test in tests { runs.append(await ModuleTestRun(test, on: host)) }
    return runs
  }

  private func tests(
    in name: String, on host: Host
  ) async throws(TestFilesError) -> [ModuleTest] {
    let path = "\(directory)/\(name)"
    let text: String
    do throws(SystemError) {
      let bytes = try WholeFile.bytes(of: path, upTo: Self.byteCountMax)
      text = String(decoding: bytes, as: UTF8.self)
    } catch {
      throw .unreadable(path, error)
    }
    let limit = Task {
      try await Task.sleep(for: Self.timeMax)
      host.interrupt()
    }
    defer { limit.cancel() }
    let values: [EvaluatedValue]
    do throws(Fault) {
      values = try await host.perform { (host) throws(Fault) in
        let session = Replay(on: host).session
        defer { host.closeSession(session) }
        return try host.evaluate(text, in: session)
      }
    } catch {
      throw .failed(path, error)
    }
    guard case .value(let value)? = values.first else {
      throw .noTest(path, "\(path) returns none")
    }
    do throws(ModuleTestError) {
      return try ModuleTest.all(in: value, named: String(name.dropLast(4)))
    } catch {
      throw .noTest(path, error.description)
    }
  }
}

/// The reason that tests can't run.
enum TestFilesError: Error {
  /// There are no files, or none whose name has this text.
  case none(String, String?)
  case unreadable(String, SystemError)
  /// The Lua code failed.
  case failed(String, Fault)
  /// The file returns something else than tests.
  case noTest(String, String)

  /// The report for people.
  var report: Report {
    switch self {
    case .none(let directory, nil):
      Report(
        "there are no tests", detail: directory,
        rows: [.init("help", "write \(directory)/NAME.lua; moonwire test --help says how")])
    case .none(let directory, let pattern?):
      Report("no test's name contains '\(pattern)'", detail: directory)
    case .unreadable(let path, let error): Report("\(error)", detail: path)
    case .failed(let path, let fault):
      Report(
        "\(path) can't be run", detail: fault.report.headline, excerpt: fault.excerpt,
        rows: fault.place.map { [.init("line", "\($0.line)")] } ?? [])
    case .noTest(let path, let what): Report("\(path) isn't a test", detail: what)
    }
  }

  /// The exit code.
  var code: Int32 {
    switch self {
    case .none, .unreadable: ExitStatus.noInput
    case .failed, .noTest: ExitStatus.dataError
    }
  }
}
