import FoundationEssentials
import Glibc
package import MoonPrompt
package import Moonwire

/// The files of tests of a directory of scripts.
package struct TestFiles {
  /// The maximum number of bytes of a file.
  static let byteCountMax = 64 << 20

  private let scripts: String
  /// The files below the directory, sorted.
  private(set) var paths: [String]

  /// The name of the folder of tests, in the directory and in the folders of its modules.
  private static let folder = "tests"

  /// Finds the files whose names contain a text, or all.
  ///
  /// - Throws: ``TestFilesError``
  package init(in scripts: String, matching pattern: String?) throws(TestFilesError) {
    self.scripts = scripts
    var paths: [String] = []
    for parent in [""] + (try Self.names(in: scripts)).map({ "\($0)/" }) {
      let folder = "\(parent)\(Self.folder)"
      paths += try Self.names(in: "\(scripts)/\(folder)").filter {
        $0.hasSuffix(".lua") && pattern.map($0.contains) ?? true
      }.map { "\(folder)/\($0)" }
    }
    self.paths = paths
    guard !paths.isEmpty else { throw .none("\(scripts)/\(Self.folder)", pattern) }
  }

  private static func names(in directory: String) throws(TestFilesError) -> [String] {
    do throws(SystemError) {
      return try DirectoryNames.all(in: directory)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return [] }
      throw .unreadable(directory, error)
    }
  }

  /// The files with the words in their quoted texts; none in one that can't be read.
  var words: [AffectedTests.File] {
    paths.map { path in
      let bytes = try? WholeFile.bytes(of: "\(scripts)/\(path)", upTo: Self.byteCountMax)
      return AffectedTests.File(path: path, words: QuotedWords.all(in: bytes ?? []))
    }
  }

  /// Leaves out all files but some.
  mutating func keep(_ kept: Set<String>) { paths = paths.filter(kept.contains) }

  /// Runs the tests of all files, in order.
  ///
  /// A test function has a host of its own, with the options and modules of `app`.
  ///
  /// - Throws: ``TestFilesError``, before any test has run.
  package func run(_ app: InspectedApp) async throws(TestFilesError) -> [TestResult] {
    let functions = await TestFunctions(on: app.host)
    let clock = ContinuousClock()
    var files: [(path: String, file: TestFile, content: TestFile.Content)] = []
    for path in paths {
      let name = path.dropLast(4).replacing("\(Self.folder)/", with: "", maxReplacements: 1)
      let file = TestFile(path: "\(scripts)/\(path)", name: String(name))
      files.append((path, file, try await file.content(functions)))
    }
    var results: [TestResult] = []
    func note(_ path: String, _ run: () async -> TestResult) async {
      let begin = clock.now
      var result = await run()
      (result.file, result.time) = (path, begin.duration(to: clock.now))
      results.append(result)
    }
    for (path, file, content) in files {
      switch content {
      case .tests(let tests):
        for test in tests { await note(path) { await ModuleTestRun(test, on: app.host).result } }
      case .functions(let names):
        for name in names where !Task.isCancelled {
          await note(path) { await file.run(name, functions, app, scripts) }
        }
      }
    }
    return results
  }
}

/// An app whose modules are loaded and not started, for the tests of them.
package struct InspectedApp {
  let host: Host
  /// The options of the host, for making others.
  let options: HostOptions
  /// Adds the built-in modules to another host.
  let addBuiltIns: (Host) async throws -> Void

  package init(
    host: Host, options: HostOptions,
    addBuiltIns: @escaping (Host) async throws -> Void
  ) {
    self.host = host
    self.options = options
    self.addBuiltIns = addBuiltIns
  }
}

/// A file of tests.
struct TestFile {
  /// The tests of a file.
  enum Content {
    /// Actions, and what each changes.
    case tests([ModuleTest])
    /// Functions by name.
    case functions([String])
  }

  let path: String
  let name: String

  /// Runs the code of the file.
  ///
  /// - Throws: ``TestFilesError``
  func content(_ functions: TestFunctions) async throws(TestFilesError) -> Content {
    let text = try text()
    var value: Value?
    var wrong: String?
    do throws(Fault) {
      switch try await functions.load(text, of: path) {
      case .functions(let names): return .functions(names)
      case .wrong(let name): wrong = name
      case .value(let found): value = found
      }
    } catch {
      throw .failed(path, error)
    }
    if let wrong {
      throw .noTest(
        path, "'\(wrong)' isn't a test: write a function, or { run = function(t) … end }")
    }
    guard let value else { throw .noTest(path, "\(path) returns none") }
    do throws(ModuleTestError) {
      return .tests(try ModuleTest.all(in: value, named: name))
    } catch {
      throw .noTest(path, error.description)
    }
  }

  private func text() throws(TestFilesError) -> String {
    do throws(SystemError) {
      return String(
        decoding: try WholeFile.bytes(of: path, upTo: TestFiles.byteCountMax), as: UTF8.self)
    } catch {
      throw .unreadable(path, error)
    }
  }

  /// Runs a test function in an app of its own.
  fileprivate func run(
    _ name: String, _ functions: TestFunctions, _ inspected: InspectedApp, _ scripts: String
  ) async -> TestResult {
    let data = FileManager.default.temporaryDirectory.appendingPathComponent(
      "moonwire-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    var failure: TestResult.Failure?
    do {
      let options = try await options(of: name, functions)
      let app = try await TestedApp(
        scripts, inspected.options, beginning: options["state"]?.mapValue ?? Map(),
        time: options["time"]?.finiteNumber, keepingIn: data.path, adding: inspected.addBuiltIns)
      for (function, value) in options["answers"]?.mapValue ?? Map() {
        app.answers.always("\(function)", value)
      }
      var run = FunctionTestRun(functions, on: app, isExhaustive: options["exhaustive"] == true)
      failure = await run.run()
      await app.host.close()
    } catch {
      failure = TestResult.Failure(title: "the app can't be started: \(error)")
    }
    return TestResult(description: "\(self.name): \(name)", failure: failure?.located(at: path))
  }
}

extension TestFile {
  /// Begins a test; returns its options.
  ///
  /// - Throws: ``Fault`` or ``TestFilesError``.
  fileprivate func options(
    of name: String, _ functions: TestFunctions
  ) async throws -> Map {
    if let options = try await functions.begin(name, of: path) { return options }
    _ = try await content(functions)
    return try await functions.begin(name, of: path) ?? Map()
  }
}

extension TestResult.Failure {
  /// Returns the failure with the place in its title.
  fileprivate func located(at path: String) -> Self {
    let place = line.map { "\(path):\($0): " } ?? ""
    return TestResult.Failure(title: place + title, lines: lines, line: line, step: step)
  }
}

/// The reason that tests can't run.
package enum TestFilesError: Error {
  /// There are no files, or none whose name has this text.
  case none(String, String?)
  case unreadable(String, SystemError)
  /// The Lua code failed.
  case failed(String, Fault)
  /// The file returns something other than tests.
  case noTest(String, String)

  /// The report for people.
  package var report: Report {
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
  package var code: Int32 {
    switch self {
    case .none, .unreadable: ExitStatus.noInput
    case .failed, .noTest: ExitStatus.dataError
    }
  }
}
