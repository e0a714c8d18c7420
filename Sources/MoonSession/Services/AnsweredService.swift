package import MoonValues

extension Service {
  /// Answers a call of a function with its arguments by name.
  package typealias Answering =
    @Sendable (
      _ call: ServiceCall, _ arguments: Map
    ) async throws -> Value

  /// Returns the service with other code for the functions that effects wait for.
  ///
  /// Their arguments are checked as before. The answer of a stream is a list of its values. What
  /// opens a handle with methods can't be answered, and fails.
  package func answered(by answer: @escaping Answering) -> Service {
    Service(
      name, summary, functions: functions.map { $0.answered(by: answer) }, script: script,
      closing: close)
  }
}

extension ServiceFunction {
  fileprivate func answered(by answer: @escaping Service.Answering) -> ServiceFunction {
    guard case .later(let prepare) = body else { return self }
    let kind = kind
    return ServiceFunction(
      name, summary, kind, parameters, returns: returns, opened: opened,
      .later { arguments in
        // For the checks of the arguments alone.
        _ = try prepare(arguments)
        return { call in
          guard kind != .opening else { throw UnansweredHandle() }
          let value = try await answer(call, arguments.map)
          guard kind == .stream else { return .result(.value(value)) }
          let values = value.listValue.map(Array.init) ?? []
          let stream = AsyncStream { continuation in
            for value in values { continuation.yield(ServiceResult.value(value)) }
            continuation.finish()
          }
          return .opened(ServiceStream.handle.open(ServiceStream(stream)))
        }
      })
  }
}

/// The failure of a function that opens a handle with methods, which no value can answer.
private struct UnansweredHandle: ServiceFailure {
  let code = "unanswered"
  let description = "it opens a connection, which can't be answered with a value"
}
