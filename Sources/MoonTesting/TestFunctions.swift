import MoonTerminal
import Moonwire

/// The Lua side of test functions: it runs a test up to its next request.
///
/// Tests run in their own machine, that of the prompt of a host that does nothing else.
struct TestFunctions: Sendable {
  /// The time that a test may take between two requests.
  static let timeMax = Duration.seconds(10)

  /// The content of a test file.
  enum Content {
    /// Test functions, by name.
    case functions([String])
    /// Test functions, and an entry that isn't one.
    case wrong(String)
    /// Anything else that the file returns; nil for nothing.
    case value(Value?)
  }

  let host: Host
  private let session: SessionID
  private let timeMax: Duration

  /// Prepares a host to run tests.
  init(on host: Host, timeMax: Duration = Self.timeMax) async {
    self.host = host
    self.timeMax = timeMax
    session = await host.perform { host in Replay(on: host).session }
  }

  /// Runs the code of a file, which sees nothing of earlier files.
  ///
  /// - Throws: ``Fault`` if it fails.
  func load(_ text: String, of path: String) async throws(Fault) -> Content {
    if try await evaluate("return _tests ~= nil") != .value(true) {
      let source = String(decoding: PackageResources.testing_lua, as: UTF8.self)
      _ = try await evaluate("_tests = (function() \(source)\nend)()")
    }
    let found = try await evaluate(
      "return _tests.load(function(_ENV) \(text)\nend, \(Self.literal(path)))")
    guard case .value(.map(let map))? = found else { return .value(nil) }
    guard let names = map["names"]?.listValue else { return .value(map["value"]) }
    if let wrong = map["wrong"]?.stringValue {
      return .wrong(wrong)
    }
    return .functions(names.compactMap(\.stringValue).sorted())
  }

  /// Begins a test of a file; returns its options, or nil if another file was loaded last.
  ///
  /// - Throws: ``Fault``
  func begin(_ name: String, of path: String) async throws(Fault) -> Map? {
    // A machine that was killed is replaced by one without the file.
    let found = try await evaluate(
      "if _tests and _tests.path == \(Self.literal(path)) then"
        + " return _tests.begin(\(Self.literal(name))) end")
    guard case .value(let value)? = found else { return nil }
    return value.mapValue ?? Map()
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
