import MoonTerminal
import Moonwire

/// The Lua side of test functions: it runs a test up to its next request.
///
/// Each test runs in a machine of its own, that of the prompt of a host that does nothing else: a
/// test may change whatever it reaches, also the tables of libraries.
struct TestFunctions: Sendable {
  /// The time that a test may take between two requests.
  static let timeMax = Duration.seconds(10)

  /// The longest text that Lua's `load` takes, in bytes.
  private static let loadedByteCountMax = 256 << 10

  /// The content of a test file.
  enum Content {
    /// Test functions, by name.
    case functions([String])
    /// Test functions, and something else, described in a sentence.
    case wrong(String)
    /// Anything else that the file returns; nil for nothing.
    case value(Value?)
  }

  let host: Host
  private let session: SessionID
  let timeMax: Duration

  /// Prepares a host to run tests.
  init(on host: Host, timeMax: Duration = Self.timeMax) async {
    self.host = host
    self.timeMax = timeMax
    session = await host.perform { host in Replay(on: host).session }
  }

  /// Runs the code of a file in a new machine.
  ///
  /// - Throws: ``Fault`` if it fails. Its place is in the file at `path`, if it is known.
  func load(_ text: String, of path: String) async throws(Fault) -> Content {
    await host.perform { $0.renewPrompt() }
    let source = String(decoding: PackageResources.testing_lua, as: UTF8.self)
    let values = String(decoding: PackageResources.values_lua, as: UTF8.self)
    _ = try await evaluate(
      "_tests = (function(...) \(source)\nend)((function() \(values)\nend)())")
    let isLong = text.utf8.count > Self.loadedByteCountMax
    // A long text, such as one from a recording, is a function in what is evaluated.
    let code = isLong ? "function(_ENV) \(text)\nend" : Self.literal(text)
    let found: EvaluatedValue?
    do throws(Fault) {
      found = try await evaluate("return _tests.load(\(code), \(Self.literal(path)))")
    } catch {
      guard isLong, let place = error.place else { throw error }
      throw Self.fault(error.reason, in: path, line: place.line)
    }
    guard case .value(.map(let map))? = found else { return .value(nil) }
    if map["op"] == "failed", let problem = map["message"]?.stringValue {
      throw Self.fault(
        .syntax(problem, isIncomplete: problem.hasSuffix("<eof>")), in: path,
        line: map["place"]?.stringValue.flatMap { Int($0) } ?? 0)
    }
    guard let names = map["names"]?.listValue else { return .value(map["value"]) }
    let options = map["options"]?.listValue?.compactMap(\.stringValue) ?? []
    if let wrong = map["wrong"]?.stringValue {
      return .wrong(
        "'\(wrong)' isn't a test: write a function, or { run = function(t) … end }"
          + TestSuggestions.ending(wrong, options, before: "the option "))
    }
    if let option = map["option"]?.stringValue {
      let test = map["test"]?.stringValue ?? ""
      return .wrong(
        "the test '\(test)' has no option '\(option)'"
          + TestSuggestions.ending(option, options + ["run"]))
    }
    return .functions(names.compactMap(\.stringValue).sorted())
  }

  /// Begins a test of the file that was loaded last; returns its options, or nil if it isn't this
  /// one.
  ///
  /// - Throws: ``Fault``
  func begin(_ name: String, of path: String) async throws(Fault) -> Map? {
    // A machine that was killed since is replaced by one without the file.
    let found = try await evaluate(
      "if _tests and _tests.path == \(Self.literal(path)) then"
        + " return _tests.begin(\(Self.literal(name))) end")
    guard case .value(let value)? = found else { return nil }
    return value.mapValue ?? Map()
  }

  private static func fault(_ reason: Fault.Reason, in path: String, line: Int) -> Fault {
    Fault(
      module: "prompt", generation: 0, registration: Registration(.load, "prompt"),
      reason: reason, place: SourcePlace(file: path, line: line))
  }

  private static func literal(_ text: String) -> String {
    LuaLiteral.text(.string(Text(text)))
  }

  /// Runs the test up to its next request.
  ///
  /// - Throws: ``Fault``
  func resume(_ answer: Value) async throws(Fault) -> Map {
    let found = try await evaluate("return _tests.resume(\(LuaLiteral.text(answer)))")
    guard case .value(.map(let request))? = found else { return ["op": "none"] }
    return request
  }

  private func evaluate(_ text: String) async throws(Fault) -> EvaluatedValue? {
    let limit = Task { [host, timeMax] in
      try await Task.sleep(for: timeMax)
      host.interrupt()
    }
    defer { limit.cancel() }
    return try await host.perform { [session] (host) throws(Fault) in
      try host.evaluate(text, in: session).first
    }
  }
}

extension Fault {
  /// Whether it took too long.
  var isStopped: Bool {
    switch reason {
    case .interrupted, .timedOut: true
    default: false
    }
  }

  /// One sentence about code that ran in the machine of the tests.
  func sentence(about subject: String) -> String {
    if isStopped {
      return "\(subject) ran longer than \(Wording.time(TestFunctions.timeMax)): is there a loop "
        + "that never ends?"
    }
    return detail ?? headline.replacing("what was typed", with: subject, maxReplacements: 1)
  }
}
