package import MoonValues

/// What a test answers a call of a service's function with.
package enum ServiceAnswer: Sendable {
  case value(Value)
  /// No value: nil in Lua.
  case nothing
  /// What the function opens.
  case opened(AnsweredHandle)
}

extension Service {
  /// Answers a call of a function with its arguments by name.
  package typealias Answering =
    @Sendable (
      _ call: ServiceCall, _ arguments: Map
    ) async throws -> ServiceAnswer

  /// Returns the service with other code for the functions that effects wait for.
  ///
  /// Their arguments are checked as before. Strings that aren't UTF-8 are ``ForeignBytes`` in
  /// values, too. A value that answers a stream is a list of its values. What opens a handle with
  /// methods must be answered with one, and fails otherwise.
  package func answered(by answer: @escaping Answering) -> Service {
    Service(
      name, summary, functions: functions.map { $0.answered(by: answer) }, script: script,
      closing: close)
  }
}

extension ServiceFunction {
  fileprivate func answered(by answer: @escaping Service.Answering) -> ServiceFunction {
    guard case .later(let prepare) = body else { return self }
    let (kind, opened) = (kind, opened?.answered)
    return ServiceFunction(
      name, summary, kind, parameters, returns: returns, opened: opened,
      .later { arguments in
        // For the checks of the arguments alone.
        _ = try prepare(arguments)
        return { call in
          switch (try await answer(call, arguments.map), opened) {
          case (.value(let value), nil): .result(ForeignBytes.result(of: value))
          case (.nothing, nil): .result(.nothing)
          case (.opened(let handle), let opened?): .opened(handle.open(as: opened))
          case (.value(let value), let opened?) where kind == .stream:
            .opened(AnsweredHandle(values: value.listValue ?? List()).open(as: opened))
          default: throw UnfitAnswer(isOpening: opened != nil)
          }
        }
      })
  }
}

/// The failure of a function whose answer isn't what it returns.
private struct UnfitAnswer: ServiceFailure {
  /// Whether the function opens a handle with methods.
  let isOpening: Bool
  let code = "unanswered"
  var description: String {
    isOpening
      ? "it opens a connection, which can't be answered with a value"
      : "it opens nothing, and must be answered with a value"
  }
}
