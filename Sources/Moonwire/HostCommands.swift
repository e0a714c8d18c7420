package import MoonActions
package import MoonModules
import MoonScripts
package import MoonValues

/// Calling commands of modules.
extension Host {
  /// Calls a command such as `cart/total`, and returns its answer.
  ///
  /// The command is a task of its module and may wait. It is cancelled after `time`; nil means that
  /// it may take as long as a task may live. A secret in the answer is the text `(secret)`.
  ///
  /// - Throws: ``CommandError``.
  package func call(
    _ command: Text, _ payload: Value = .null, in id: SessionID, within time: Duration? = nil
  ) async throws(CommandError) -> Value {
    let result: Result<Value, CommandError> = await withCheckedContinuation { continuation in
      sessions.call(command, payload, in: id, within: time) { continuation.resume(returning: $0) }
    }
    return Secrets.masked(try result.get())
  }
}
