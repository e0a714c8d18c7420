import FoundationEssentials
import Glibc
package import MoonPrompt
package import Moonwire

/// The files of tests of a directory of scripts.
package struct TestFiles {
  /// The maximum number of bytes of a file.
  static let byteCountMax = 64 << 20

  private let scripts: String
  /// The text in the names of tests, or of their files; nil for all tests.
  private let pattern: String?
  /// The files below the directory, sorted.
  private(set) var paths: [String]
  /// Whether files were left out, so that none of the others needs to have a test to run.
  private var isNarrowed = false

  /// The name of the folder of tests, in the directory and in the folders of its modules.
  private static let folder = "tests"

  /// Finds the files; the tests whose names or files' paths contain a text run, or all.
  ///
  /// - Throws: ``TestFilesError``
  package init(in scripts: String, matching pattern: String?) throws(TestFilesError) {
    (self.scripts, self.pattern) = (scripts, pattern)
    var paths: [String] = []
    for parent in [""] + (try Self.names(in: scripts)).map({ "\($0)/" }) {
      let folder = "\(parent)\(Self.folder)"
      paths += try Self.names(in: "\(scripts)/\(folder)").filter { $0.hasSuffix(".lua") }
        .map { "\(folder)/\($0)" }
    }
    self.paths = paths
    guard !paths.isEmpty else { throw .none("\(scripts)/\(Self.folder)") }
  }

  private static func names(in directory: String) throws(TestFilesError) -> [String] {
    do throws(SystemError) {
      return try DirectoryNames.all(in: directory)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return [] }
      throw .unreadable(directory, error)
    }
  }

  /// The Lua files in folders of a folder of tests, which don't run; those aside that a test names
  /// to require them, as `"tests.help.orders"`.
  package var passedOver: [String] {
    let listed = (try? ScriptDirectory(root: scripts).scan())?.entries.map(\.path) ?? []
    let below = listed.filter { !paths.contains($0) && Self.library($0) != nil }
    guard !below.isEmpty else { return [] }
    let texts = (paths + below).map(text(at:))
    return below.filter { path in
      let name = Self.library(path) ?? path
      return !texts.contains { $0.contains(name) }
    }
  }

  /// Returns what a test calls a file in a folder of its own folder; nil for any other file.
  private static func library(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let place = parts.prefix(2).firstIndex(where: { $0 == folder }), parts.count - place > 2
    else { return nil }
    let name = parts[place...].joined(separator: ".").dropLast(4)
    return String(name.hasSuffix(".init") ? name.dropLast(5) : name)
  }

  private func text(at path: String) -> String {
    let bytes = try? WholeFile.bytes(of: "\(scripts)/\(path)", upTo: Self.byteCountMax)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// A note about the files that are passed over; nil if there are none.
  package var note: Report? {
    let files = passedOver
    guard !files.isEmpty else { return nil }
    return Report(
      .note, "files aren't run, since tests are the files of the folder tests itself",
      rows: [.init("files", TestSuggestions.list(files))])
  }

  /// The files with the words in their quoted texts; none in one that can't be read.
  var words: [AffectedTests.File] {
    paths.map { path in
      let bytes = try? WholeFile.bytes(of: "\(scripts)/\(path)", upTo: Self.byteCountMax)
      return AffectedTests.File(path: path, words: QuotedWords.all(in: bytes ?? []))
    }
  }

  /// Leaves out all files but some.
  mutating func keep(_ kept: Set<String>) {
    paths = paths.filter(kept.contains)
    isNarrowed = true
  }

  /// Whether all tests of a file run.
  private func isNamed(_ path: String) -> Bool {
    guard let pattern else { return true }
    // Failures have the path with the directory.
    return path.contains(pattern) || "\(scripts)/\(path)" == pattern
  }

  private func file(at path: String) -> TestFile {
    let name = path.dropLast(4).replacing("\(Self.folder)/", with: "", maxReplacements: 1)
    return TestFile(path: "\(scripts)/\(path)", name: String(name))
  }

  /// Returns the tests to run.
  ///
  /// - Throws: ``TestFilesError``, but for a file that the text doesn't name while it names others.
  private func chosen(
    _ functions: TestFunctions
  ) async throws(TestFilesError) -> [(path: String, file: TestFile, content: TestFile.Content)] {
    let namesFiles = paths.contains(where: isNamed)
    var chosen: [(path: String, file: TestFile, content: TestFile.Content)] = []
    for path in paths {
      let file = file(at: path)
      do throws(TestFilesError) {
        var content = try await file.content(functions)
        if let pattern, !isNamed(path) {
          content = content.matching(pattern, in: file.name)
          if content.isEmpty { continue }
        }
        chosen.append((path, file, content))
      } catch {
        if isNamed(path) || !namesFiles { throw error }
      }
    }
    if let pattern, chosen.isEmpty, !isNarrowed {
      throw .noMatch(pattern, files: paths.map { file(at: $0).name })
    }
    return chosen
  }

  /// Runs the tests of all files, in order.
  ///
  /// A test function has a host of its own, with the options and modules of `app`.
  ///
  /// - Throws: ``TestFilesError``, before any test has run.
  package func run(_ app: InspectedApp) async throws(TestFilesError) -> [TestResult] {
    let functions = await TestFunctions(on: app.host)
    let clock = ContinuousClock()
    let files = try await chosen(functions)
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

    fileprivate var isEmpty: Bool {
      switch self {
      case .tests(let tests): tests.isEmpty
      case .functions(let names): names.isEmpty
      }
    }

    /// Returns those whose names in results contain a text.
    fileprivate func matching(_ pattern: String, in file: String) -> Self {
      switch self {
      case .tests(let tests): .tests(tests.filter { $0.description.contains(pattern) })
      case .functions(let names):
        .functions(names.filter { TestFile.title(of: $0, in: file).contains(pattern) })
      }
    }
  }

  let path: String
  let name: String

  /// The name of a test function in results.
  private static func title(of name: String, in file: String) -> String { "\(file): \(name)" }

  /// Runs the code of the file.
  ///
  /// - Throws: ``TestFilesError``
  func content(_ functions: TestFunctions) async throws(TestFilesError) -> Content {
    let text = try text()
    let found: TestFunctions.Content
    do throws(Fault) {
      found = try await functions.load(text, of: path)
    } catch {
      var fault = error
      fault.excerpt = error.place.flatMap { place in
        place.file == path ? Excerpt(of: Array(text.utf8), line: place.line) : nil
      }
      throw .failed(path, fault)
    }
    let value: Value
    switch found {
    case .functions(let names): return .functions(names)
    case .wrong(let what): throw .noTest(path, what)
    case .value(let returned):
      guard let returned else { throw .noTest(path, "it returns none: \(ModuleTest.advice)") }
      value = returned
    }
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
      let state = options["state"]?.mapValue ?? Map()
      let app = try await TestedApp(
        scripts, inspected.options, beginning: state, time: options["time"]?.finiteNumber,
        keepingIn: data.path, adding: inspected.addBuiltIns)
      let answers = options["answers"]?.mapValue ?? Map()
      for (function, value) in answers { app.answers.always("\(function)", value) }
      var problem = Self.problem(with: options)
      if problem == nil { problem = await app.refusal(of: state) }
      for function in answers.keys where problem == nil {
        problem = TestAnswers.refusal(of: "\(function)").map { "the option answers: \($0)" }
      }
      if let problem {
        failure = TestResult.Failure(title: problem)
      } else {
        var run = FunctionTestRun(functions, on: app, isExhaustive: options["exhaustive"] == true)
        failure = await run.run()
      }
      await app.host.close()
    } catch {
      failure = TestResult.Failure(title: "the app can't be started: \(error)")
    }
    return TestResult(
      description: Self.title(of: name, in: self.name), failure: failure?.located(at: path))
  }

  /// Returns what is wrong with the options of a test; nil if each holds what it must.
  private static func problem(with options: Map) -> String? {
    let expected: [(name: Key, kind: String, fits: (Value) -> Bool)] = [
      ("answers", "a table", { $0.mapValue != nil }), ("state", "a table", { $0.mapValue != nil }),
      ("exhaustive", "true or false", { $0.boolValue != nil }),
      ("time", "a number", { $0.finiteNumber != nil }),
    ]
    let wrong = expected.first { option in options[option.name].map { !option.fits($0) } ?? false }
    return wrong.map { option in
      let found = options[option.name].map(\.canonicalText) ?? "nothing"
      return "the option \(option.name) must be \(option.kind), and is \(found.prefix(100))"
    }
  }
}

extension TestFile {
  /// Begins a test; returns its options.
  ///
  /// - Throws: ``Fault`` or ``TestFilesError``.
  fileprivate func options(
    of name: String, _ functions: TestFunctions
  ) async throws -> Map {
    // The code of the file runs anew, so that no test sees what another has left.
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
  /// There are no files.
  case none(String)
  /// No name of a test or path of a file has the text.
  case noMatch(String, files: [String])
  case unreadable(String, SystemError)
  /// The Lua code failed.
  case failed(String, Fault)
  /// The file returns something other than tests.
  case noTest(String, String)

  /// The report for people.
  package var report: Report {
    switch self {
    case .none(let directory):
      Report(
        "there are no tests", detail: directory,
        rows: [.init("help", "write \(directory)/NAME.lua; moonwire test --help says how")])
    case .noMatch(let pattern, let files):
      Report(
        "no test and no file of tests has '\(pattern)' in its name",
        rows: [.init("files", TestSuggestions.list(files))])
    case .unreadable(let path, let error): Report("\(error)", detail: path)
    case .failed(let path, let fault):
      Report(
        "\(path) can't be run", at: fault.excerpt == nil ? nil : fault.place,
        detail: fault.sentence(about: "its code"), excerpt: fault.excerpt,
        rows: fault.isStopped ? [] : fault.report.rows.filter { $0.label == "help" })
    case .noTest(let path, let what): Report("\(path) isn't a test", detail: what)
    }
  }

  /// The exit code.
  package var code: Int32 {
    switch self {
    case .none, .noMatch, .unreadable: ExitStatus.noInput
    case .failed, .noTest: ExitStatus.dataError
    }
  }
}
