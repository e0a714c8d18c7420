import MoonServices
package import Moonwire
import Synchronization

/// The service calls that wait for a test's answers, and the answers that wait for calls.
final class TestAnswers: Sendable {
  /// A waiting call.
  struct Call: Sendable {
    let number: Int
    let name: String
    let arguments: Map

    /// The call as data for the test.
    var value: Value {
      [
        "number": .int(Int64(number)), "name": .string(Text(name)), "arguments": .map(arguments),
      ]
    }
  }

  /// An answer, or a failure instead.
  typealias Answer = Result<ServiceAnswer, TestedFailure>

  fileprivate struct PendingCall {
    let call: Call
    let continuation: CheckedContinuation<Answer, Never>
  }

  fileprivate struct State {
    var count = 0
    var pending: [PendingCall] = []
    var ready: [String: [Answer]] = [:]
    /// The answers to all calls without an answer of their own.
    var standing: [String: Answer] = [:]
    var cancelled: Set<Int> = []
    /// What the test has opened, in order, with the functions that were called for it.
    var opened: [(function: String, handle: AnsweredHandle)] = []
  }

  private let state = Mutex(State())

  /// The services whose functions the test answers; the others work as usual.
  static func services(answeredBy answers: TestAnswers) -> [Service] {
    Service.standard.map { service in
      if service.name == "env" { return environment(answeredBy: answers) }
      return unanswered.contains(service.name)
        ? service
        : service.answered { call, arguments in
          try await answers.answer(to: call.function, arguments)
        }
    }
  }

  /// `moon.env` with the variables that the test answers; no others are set.
  private static func environment(answeredBy answers: TestAnswers) -> Service {
    Service(
      "env", Service.environment.summary,
      functions: [
        .immediate(
          "get", "Returns a variable; nil if it isn't set.", .string("name"), returns: "string?"
        ) { call, name in
          try call.require(.variable(name))
          let call = Call(number: 0, name: "env.get", arguments: ["name": .string(Text(name))])
          guard let known = answers.state.withLock({ $0.takeAnswer(to: call) }),
            case .value(let value) = try known.get(), value != .null
          else { return .nothing }
          return .value(value)
        }
      ])
  }

  /// The calls that wait, the oldest first.
  var calls: [Call] { state.withLock { $0.pending.map(\.call) } }

  /// The number of tasks that wait for the test: for an answer, or for something to arrive.
  var waitCount: Int {
    state.withLock { state in state.opened.reduce(state.pending.count) { $0 + $1.handle.waitCount }
    }
  }

  /// Returns the kind of a function that the test can answer; nil if there is none of this name.
  static func kind(of name: String) -> ServiceFunction.Kind? {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, !unanswered.contains(parts[0]) else { return nil }
    return Service.standard.first { $0.name == parts[0] }?.functions.first { $0.name == parts[1] }?
      .kind
  }

  /// Returns why a test can't answer a function; nil if it can.
  static func refusal(of name: String) -> String? {
    guard kind(of: name) == nil else { return nil }
    let known = Service.standard.filter { !unanswered.contains($0.name) }.flatMap { service in
      service.functions.map { "\(service.name).\($0.name)" }
    }
    return "there is no moon.\(name) that a test can answer"
      + TestSuggestions.ending(name, known, before: "moon.")
  }

  /// The functions with answers that no call has taken.
  var unusedNames: [String] {
    state.withLock { state in state.ready.filter { !$0.value.isEmpty }.keys.sorted() }
  }

  /// The services that work as usual.
  private static let unanswered = ["storage", "entities"]

  /// Adds what the test opens for a call of a function; returns its number.
  func add(_ handle: AnsweredHandle, for function: String) -> Int {
    state.withLock { state in
      state.opened.append((function, handle))
      return state.opened.count
    }
  }

  /// Returns what the test has opened.
  func opened(_ number: Int) -> AnsweredHandle? {
    state.withLock { state in
      state.opened.indices.contains(number - 1) ? state.opened[number - 1].handle : nil
    }
  }

  /// Takes the messages that modules have sent and that the test hasn't received.
  func takeMessages() -> [(function: String, message: Map)] {
    state.withLock(\.opened).flatMap { function, handle in
      var messages: [(function: String, message: Map)] = []
      while let message = handle.receive() { messages.append((function, message)) }
      return messages
    }
  }

  /// Answers all calls of a function that get no answer of their own.
  func always(_ name: String, _ value: Value) {
    state.withLock { $0.standing[name] = .success(.value(value)) }
  }

  /// Answers the oldest call of a function, or that with a number, or else the next one; false if
  /// there is no call with the number.
  func answer(_ name: String, number: Int?, with answer: Answer) -> Bool {
    let pending: PendingCall? = state.withLock { state in
      let index = state.pending.firstIndex { pending in
        if let number { pending.call.number == number } else { pending.call.name == name }
      }
      if let index { return state.pending.remove(at: index) }
      if number == nil { state.ready[name, default: []].append(answer) }
      return nil
    }
    pending?.continuation.resume(returning: answer)
    return pending != nil || number == nil
  }

  private func answer(to name: String, _ arguments: Map) async throws -> ServiceAnswer {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let call = Call(number: number, name: name, arguments: arguments)
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Answer? = state.withLock { state in
          if let known = state.takeAnswer(to: call) { return known }
          state.pending.append(PendingCall(call: call, continuation: continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      let pending = state.withLock { $0.cancel(number) }
      pending?.resume(returning: .failure(.cancelled))
    }
    return try answer.get()
  }
}

extension TestAnswers.State {
  fileprivate mutating func takeAnswer(to call: TestAnswers.Call) -> TestAnswers.Answer? {
    if cancelled.contains(call.number) { return .failure(.cancelled) }
    if var answers = ready[call.name], !answers.isEmpty {
      let first = answers.removeFirst()
      ready[call.name] = answers
      return first
    }
    return standing[call.name]
  }

  fileprivate mutating func cancel(
    _ number: Int
  ) -> CheckedContinuation<TestAnswers.Answer, Never>? {
    cancelled.insert(number)
    guard let index = pending.firstIndex(where: { $0.call.number == number }) else { return nil }
    return pending.remove(at: index).continuation
  }
}

/// A service failure that a test has requested.
struct TestedFailure: ServiceFailure {
  /// The code and the text that modules get.
  let code: String
  let description: String

  init(code: String, description: String) {
    self.code = code
    self.description = description
  }

  /// Reads the failure in a request of a test.
  init(_ request: Map) {
    code = request["code"]?.stringValue ?? "failed"
    description = request["message"]?.stringValue ?? code
  }

  /// The call's task was cancelled.
  static let cancelled = TestedFailure(code: "cancelled", description: "it was cancelled")
}

extension HostOptions {
  /// Grants modules everything, since they reach only what a test answers.
  ///
  /// The code of tests reaches nothing.
  package mutating func isolateTests() {
    grants.allowsAll = true
    services = TestAnswers.services(answeredBy: TestAnswers())
  }
}
