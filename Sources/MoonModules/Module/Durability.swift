package import MoonValues

/// How an effect continues after its program was killed.
package struct Durability {
  /// What happens to a call of a service whose answer wasn't kept.
  package enum Retry: String, Sendable, CaseIterable {
    /// It is made again, with the same idempotency key.
    case again
    /// It isn't, and the task gets the error `cut_off`.
    case never
  }

  /// What happens to a task when the code of its module has changed.
  package enum NewCode {
    /// It ends on the code that began it.
    case finish
    /// It begins anew on the new code.
    case restart
    /// It begins anew on the new code, with the payload that a function makes of the earlier one
    /// and of what the task has learned.
    case migrate((_ payload: Value, _ progress: Value) throws -> Value)
  }

  /// What happens to a call whose answer wasn't kept.
  package var retry: Retry
  /// What happens when the code has changed.
  package var newCode: NewCode

  /// Makes the rules.
  package init(retry: Retry = .again, newCode: NewCode = .finish) {
    self.retry = retry
    self.newCode = newCode
  }
}
