import MoonPrompt
import MoonTerminal
import Moonwire

/// The run of one test function.
///
/// Used by one task.
struct FunctionTestRun {
  /// The longest time that a test may let pass at once, in seconds: a year.
  private static let secondsMax = 366 * 86_400.0

  /// The maximum number of paths that a failure suggests others for.
  private static let emptyPathCountMax = 3

  /// The maximum number of calls of functions of `t` by one test.
  static let requestCountMax = 100_000

  private let functions: TestFunctions
  private let app: TestedApp
  private let isExhaustive: Bool
  /// The ids of the actions that the test has received.
  private var received: Set<Int64> = []
  /// The paths at which the test has found nothing, with what could have been meant.
  private var emptyPaths: [String] = []

  init(_ functions: TestFunctions, on app: TestedApp, isExhaustive: Bool) {
    self.functions = functions
    self.app = app
    self.isExhaustive = isExhaustive
  }

  /// Runs the test that was begun; returns its failure, or nil.
  mutating func run() async -> TestResult.Failure? {
    guard await app.settle() else { return Self.stuck }
    var answer: Value = [:]
    var requestCount = 0
    // The line of the last call of a function of t.
    var line: Int?
    while true {
      if Task.isCancelled { return TestResult.Failure(title: "it was cancelled") }
      guard requestCount < Self.requestCountMax else { return Self.endless }
      requestCount += 1
      let request: Map
      do throws(Fault) {
        request = try await functions.resume(answer)
      } catch {
        return stopped(by: error, after: line)
      }
      line = Self.line(of: request) ?? line
      switch request["op"]?.stringValue {
      case "done": return await leftovers()
      case "failed":
        var failure = Self.failure(request)
        failure.lines += emptyPaths
        return failure
      case let name?:
        let reply = await carryOut(name, request)
        guard await app.settle() else { return Self.stuck }
        answer = reply.answer
      case nil: return TestResult.Failure(title: "a test waits for functions of t only")
      }
    }
  }

  private static let endless = TestResult.Failure(
    title: "the test has called functions of t \(requestCountMax) times: does a loop never end?")

  private static let stuck = TestResult.Failure(title: "what follows takes too long")

  /// Returns the failure of a test whose code was ended after the call in a line.
  private func stopped(by fault: Fault, after line: Int?) -> TestResult.Failure {
    guard fault.isStopped else {
      return TestResult.Failure(title: fault.sentence(about: "the test"), line: line)
    }
    let title =
      "the test ran for \(Wording.time(functions.timeMax)) "
      + (line == nil ? "without calling a function of t" : "after the call in this line")
      + ": is there a loop that never ends?"
    return TestResult.Failure(title: title, line: line)
  }

  /// Returns the line of the test that a request comes from.
  private static func line(of request: Map) -> Int? {
    request["place"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
  }

  /// Returns the failure that a test has raised.
  private static func failure(_ request: Map) -> TestResult.Failure {
    let message = request["message"]?.stringValue ?? ""
    var lines = request["lines"]?.listValue?.compactMap(\.stringValue) ?? []
    if request["compares"] == true {
      let (expected, actual) = (request["expected"] ?? .null, request["actual"] ?? .null)
      lines = TestResult.lines(expected: expected, actual: actual)
      // What can't leave Lua may look alike.
      if lines.isEmpty { lines = ["− \(expected.canonicalText)", "+ \(actual.canonicalText)"] }
    }
    return TestResult.Failure(title: message, lines: lines, line: line(of: request))
  }

  /// Returns the failure of a test that left something behind; nil if it left nothing.
  private func leftovers() async -> TestResult.Failure? {
    let faults = app.faults.take()
    if !faults.isEmpty {
      return TestResult.Failure(
        title: "modules have failed, and the test didn't ask for t.faults()",
        lines: faults.map { "+ \($0)" })
    }
    let unused = app.answers.unusedNames
    if !unused.isEmpty {
      return TestResult.Failure(
        title: "the test gave answers that no call has taken",
        lines: unused.map { "+ answered moon.\($0)" })
    }
    guard isExhaustive else { return nil }
    let tasks = await app.host.taskInfos(of: app.session).map { "+ task \($0.standing)" }
    let actions = await unreceived().map { "+ \($0.type) \($0.payload.canonicalText)" }
    let messages = app.answers.takeMessages().map { function, message in
      "+ sent over \(function) \(Value.map(message).canonicalText)"
    }
    let lines = actions + messages + tasks
    guard !lines.isEmpty else { return nil }
    return TestResult.Failure(
      title: "the test is exhaustive, but didn't receive all actions and messages, or left tasks",
      lines: lines)
  }

  // MARK: Requests

  /// The answer to a request.
  enum Reply {
    case value(Value)
    case failure(String, [String] = [])

    fileprivate var answer: Value {
      switch self {
      case .value(.null): [:]
      case .value(let value): ["value": value]
      case .failure(let text, let lines):
        [
          "failure": .string(Text(text)),
          "lines": .list(List(lines.map { .string(Text($0)) })),
        ]
      }
    }
  }

  private mutating func carryOut(_ name: String, _ request: Map) async -> Reply {
    switch name {
    case "dispatch": await dispatch(request["action"])
    case "refused": await refused(request["action"])
    case "route": await route(request)
    case "tap", "press", "scroll", "input", "screen":
      await ScreenRequests(app: app).carryOut(name, request)
    case "back": await attempt { host, id throws(DispatchError) in try host.back(in: id) }
    case "state": await state(request["path"]?.stringValue ?? "")
    case "advance": await advance(request["seconds"])
    case "receive": await receive(request["action"])
    case "call": call(request["name"]?.stringValue ?? "")
    case "answer": answer(request)
    case "open": open(request)
    case "stream": StreamRequests(app.answers).carryOut(request)
    case "tasks":
      .value(.texts(await app.host.taskInfos(of: app.session).map(\.standing)))
    case "faults": .value(.texts(app.faults.take()))
    case "unknown": Self.unknown(request)
    default: .failure("there is no function t.\(name)")
    }
  }

  /// The value of a field of `t` that nobody has set, unless it is a misspelt function.
  private static func unknown(_ request: Map) -> Reply {
    let name = request["name"]?.stringValue ?? ""
    let names = request["names"]?.listValue?.compactMap(\.stringValue) ?? []
    let ending = TestSuggestions.ending(name, names, before: "t.")
    return ending.isEmpty ? .value(.null) : .failure("there is no function t.\(name)\(ending)")
  }

  private func action(_ value: Value?) -> Action {
    Action(
      Text(value?["type"]?.stringValue ?? ""), value?["payload"] ?? .null)
  }

  private func dispatch(_ value: Value?) async -> Reply {
    let action = action(value)
    return await attempt { host, id throws(DispatchError) in try host.dispatch(action, to: id) }
  }

  private func route(_ request: Map) async -> Reply {
    let url = Text(request["url"]?.stringValue ?? "")
    let parameters = request["params"]?.mapValue ?? Map()
    return await attempt { host, id throws(DispatchError) in
      try host.route(url, passing: parameters, in: id)
    }
  }

  /// Runs an operation; the answer has what it changed.
  private func attempt(
    _ body: @Sendable (isolated Host, SessionID) throws(DispatchError) -> Outcome
  ) async -> Reply {
    do throws(DispatchError) {
      let outcome = try await app.host.perform {
        [session = app.session] (host) throws(DispatchError) in
        try body(host, session)
      }
      var changes = Map()
      for change in outcome.changes.changes {
        changes[.string(Text("\(change.path)"))] = change.after ?? .null
      }
      return .value(.map(changes))
    } catch {
      app.faults.note(error)
      return .failure("\(error)")
    }
  }

  private func refused(_ value: Value?) async -> Reply {
    let action = action(value)
    do throws(DispatchError) {
      try await app.host.dispatch(action, to: app.session)
      return .failure("\(action.type) wasn't refused")
    } catch {
      if let refusal = error.refusal { return .value(.map(refusal.value)) }
      if case .fault(let fault) = error {
        app.faults.note(error)
        return .failure(
          "\(action.type) wasn't refused: its module failed", ["+ \(fault)"])
      }
      return .value(["reason": .string(Text("\(error)"))])
    }
  }

  private mutating func state(_ path: String) async -> Reply {
    guard let path = try? Path(parsing: path) else { return .failure("'\(path)' isn't a path") }
    let state = await app.host.state(of: app.session) ?? .null
    if let value = state.value(at: path) { return .value(value) }
    if let meant = TestSuggestions.path(for: path, in: state) {
      let text = "nothing was at \(path); did you mean \(meant)?"
      if !emptyPaths.contains(text), emptyPaths.count < Self.emptyPathCountMax {
        emptyPaths.append(text)
      }
    }
    return .value(.null)
  }

  private func advance(_ value: Value?) async -> Reply {
    let seconds: Double
    switch value {
    case .int(let number)?: seconds = Double(number)
    case .double(let number)?: seconds = number
    default: return .failure("t.advance takes a number of seconds")
    }
    guard seconds >= 0, seconds <= Self.secondsMax else {
      return .failure("t.advance takes from 0 to \(Int(Self.secondsMax)) seconds")
    }
    return await app.advance(.seconds(seconds))
      ? .value(.null) : .failure("too much happens in this time")
  }

  // MARK: What modules have done

  /// Returns the actions that modules have dispatched and the test hasn't received.
  private func unreceived() async -> [Action] {
    await app.host.history(of: app.session).entries.map(\.action).filter {
      if case .module = $0.meta.cause { !received.contains($0.meta.id) } else { false }
    }
  }

  private mutating func receive(_ value: Value?) async -> Reply {
    let wanted = action(value)
    let all = await unreceived()
    guard let found = all.first(where: { $0.type == wanted.type }) else {
      return .failure(
        "no module has dispatched \(wanted.type)",
        all.map { "+ \($0.type) \($0.payload.canonicalText)" })
    }
    received.insert(found.meta.id)
    if wanted.payload != .null, wanted.payload != found.payload {
      return .failure(
        "\(wanted.type) has another payload",
        TestResult.lines(expected: wanted.payload, actual: found.payload))
    }
    return .value(["type": .string(found.type), "payload": found.scriptPayload])
  }

  private func call(_ name: String) -> Reply {
    let calls = app.answers.calls
    guard let found = calls.first(where: { $0.name == name }) else {
      return .failure(
        "nothing waits for moon.\(name)",
        calls.map { "+ \($0.name) \(Value.map($0.arguments).canonicalText)" })
    }
    return .value(found.value)
  }

  private func answer(_ request: Map) -> Reply {
    let (name, number) = Self.call(in: request)
    if let refusal = TestAnswers.refusal(of: name) { return .failure(refusal) }
    let answer: TestAnswers.Answer
    if request["code"] != nil {
      answer = .failure(TestedFailure(request))
    } else if TestAnswers.kind(of: name) == .opening {
      return .failure("moon.\(name) opens a connection: answer it with t.open")
    } else {
      answer = .success(request["value"].map { .value($0) } ?? .nothing)
    }
    return app.answers.answer(name, number: number, with: answer)
      ? .value(.null) : .failure("this call of moon.\(name) doesn't wait any more")
  }
}

extension FunctionTestRun {
  private func open(_ request: Map) -> Reply {
    let (name, number) = Self.call(in: request)
    return StreamRequests(app.answers).open(
      name, number: number, request["facts"]?.mapValue ?? Map())
  }

  /// Returns the function whose call a request is about, and the number if it is about one call.
  private static func call(in request: Map) -> (name: String, number: Int?) {
    let call = request["call"]
    return (call?["name"]?.stringValue ?? "", call?["number"]?.intValue.map { Int(clamping: $0) })
  }
}

extension TaskInfo {
  /// The task's module and registration, and what it waits for.
  fileprivate var standing: String {
    "\(module) \(effect)" + (wait.map { " waits for \($0)" } ?? "")
  }
}

extension Value {
  static func texts(_ texts: [String]) -> Value {
    .list(List(texts.map { .string(Text($0)) }))
  }
}
