package import MoonActions
package import MoonModules
import MoonScripts
package import MoonValues

/// What a person types as Lua.
extension Host {
  /// Evaluates Lua text that can't wait for a person, as an expression or else as statements.
  ///
  /// `state(path)` and `dispatch(type, payload)` are available. Globals keep their values.
  ///
  /// - Throws: ``Fault`` with the registration's name `prompt`.
  package func evaluate(
    _ text: String, in id: SessionID
  ) throws(Fault) -> [EvaluatedValue] {
    guard let session = session(id) else { throw Console.noSession }
    return try turn { () throws(Fault) in try console.evaluate(text, in: session) }
  }

  /// Lets text that is evaluated from now on see nothing of what earlier text has left.
  package func renewPrompt() { console.renew() }

  /// Evaluates Lua text for a person, as an expression or else as statements, for a caller that
  /// awaits it.
  ///
  /// The text may wait as an effect does, and sessions go on meanwhile. It is cancelled after
  /// `time`; nil means that it may take as long as a task may live.
  ///
  /// - Throws: ``Fault`` with the registration's name `prompt`.
  package func evaluate(
    _ text: String, in id: SessionID, within time: Duration? = nil
  ) async throws(Fault) -> [EvaluatedValue] {
    try await evaluation(of: text, in: id, within: time).values
  }

  /// Evaluates text as the function above does, and returns the state before and after its last
  /// part: from its beginning, or its last wait, to its end.
  package func evaluation(
    of text: String, in id: SessionID, within time: Duration? = nil
  ) async throws(Fault) -> Evaluated {
    guard var session = session(id) else { throw Console.noSession }
    let deadline = time.map { sessions.timer.clock.now() + $0 }
    var before = session.state
    var (evaluation, step) = try turn { () throws(Fault) in try console.begin(text, in: session) }
    while true {
      let wait: Wait
      switch step {
      case .waits(let found): wait = found
      case .ended(let forms):
        return Evaluated(
          values: forms.map(EvaluatedValue.init), before: .map(before), after: session.stateValue)
      }
      let name = wait.description
      let left = deadline.map { max($0 - sessions.timer.clock.now(), .milliseconds(1)) }
      let answer = await withCheckedContinuation { continuation in
        sessions.wait(for: wait, in: session, since: before, within: left) {
          continuation.resume(returning: $0)
        }
      }
      guard let present = self.session(id) else { throw Console.noSession }
      session = present
      before = session.state
      step = try turn { () throws(Fault) in
        guard let answer else {
          try console.cancel(evaluation, in: session)
          let isLate = deadline.map { $0 <= sessions.timer.clock.now() } ?? false
          throw Console.ended(atWait: name, after: isLate ? time : nil)
        }
        return try console.goOn(evaluation, on: answer, in: session)
      }
    }
  }

  private func turn<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    defer { sessions.finishCalls() }
    return try body()
  }

  /// Returns the names that evaluated text can use, for completion.
  ///
  /// They are those of libraries, `moon` and assigned globals. Each has the names in it, its usage
  /// such as `moon.sleep(seconds)`, or its Lua type.
  package func evaluationNames(in id: SessionID) -> Map {
    session(id).map(console.names) ?? Map()
  }
}

/// What an evaluation has come to.
package struct Evaluated: Sendable {
  /// The values of the text.
  package let values: [EvaluatedValue]
  /// The state before and after its last part.
  package let before: Value, after: Value
}
