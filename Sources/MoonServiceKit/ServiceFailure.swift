import MoonValues

/// An error that services throw: a closed enum whose description is one phrase.
///
/// In Lua it is an error value that prints as its text and has the fields `code`, `service` (the
/// function, such as `http.get`), `reason` (the description) and `message` (with the place before
/// it).
public protocol ServiceFailure: Error, CustomStringConvertible {
  /// A word for scripts to compare: `timed_out`.
  var code: String { get }
}

/// The failure of a call, as Lua gets it.
package struct ServiceReport: Error, Sendable {
  package let code: String
  package let reason: String

  /// Describes an error that a function has thrown; `hide` removes secrets from a text.
  package init(
    _ error: any Error, in function: String, hiding hide: (String) -> String = { $0 }
  ) {
    reason = hide("moon.\(function): \(error)")
    code =
      switch error {
      case let failure as any ServiceFailure: failure.code
      case is CancellationError: "cancelled"
      default: "failed"
      }
  }
}

/// The reason that the host refuses a call of a service, or its result.
public enum ServiceRefusal: ServiceFailure, Equatable {
  /// The function isn't pure, and what calls it must be.
  case notHere(caller: String)
  /// The prompt has no task that would close what is opened.
  case notAtPrompt
  /// A replay couldn't give the same result.
  case notRepeatable
  /// The result is larger than the limit.
  case answerTooLarge(bytes: Int, max: Int)
  /// The host holds as much memory for the module as it may.
  case memoryFull(max: Int)
  /// The module has too many open handles.
  case tooManyHandles(max: Int)

  /// A word for scripts to compare.
  public var code: String {
    switch self {
    case .notHere, .notAtPrompt, .notRepeatable: "not_here"
    case .answerTooLarge: "answer_too_large"
    case .memoryFull: "memory_full"
    case .tooManyHandles: "too_many_handles"
    }
  }

  /// One phrase.
  public var description: String {
    switch self {
    case .notHere(let caller):
      "it isn't available in \(caller), whose result must depend on its arguments alone: "
        + "let an effect call it"
    case .notAtPrompt: "the prompt keeps nothing open: let an effect call it"
    case .notRepeatable:
      "it isn't available before the commit of an action, which a replay repeats: let an effect "
        + "call it"
    case .answerTooLarge(let bytes, let max):
      "the answer has \(Wording.size(bytes)), and \(Wording.size(max)) are allowed"
    case .memoryFull(let max):
      "the host may hold \(Wording.size(max)) for the module in calls, actions and streams, and "
        + "there is no room left: do less at a time"
    case .tooManyHandles(let max):
      "\(max) handles are open already: close those that you no "
        + "longer need"
    }
  }
}
