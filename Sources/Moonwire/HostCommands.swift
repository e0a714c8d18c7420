public import MoonSession
import MoonStore
public import MoonValues

/// Calling commands of modules.
extension Host {
  /// Calls a command such as `cart/total`, and returns its answer.
  ///
  /// The command is a task of its module and may wait. It is cancelled after `time`; nil means that
  /// it may take as long as a task may live. A secret in the answer is the text `(secret)`.
  ///
  /// - Throws: ``CommandError``.
  public func call(
    _ command: Text, _ payload: Value = .null, in id: SessionID, within time: Duration? = nil
  ) async throws(CommandError) -> Value {
    let result: Result<Value, CommandError> = await withCheckedContinuation { continuation in
      guard let session = session(id) else {
        return continuation.resume(returning: .failure(.noSession))
      }
      guard !session.timeTravel.timeline.isStill else {
        return continuation.resume(
          returning: .failure(.refused("\(session.timeTravel.timeline.refusal)")))
      }
      do throws(CommandError) {
        try CommandCalls(session).begin(command, payload, by: nil, within: time) {
          continuation.resume(returning: $0)
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
      settle()
      timer.endTurn()
    }
    return Secrets.masked(try result.get())
  }

  /// Returns the commands of all modules in service, such as `cart/total`, sorted.
  public func commandNames() -> [String] {
    modules.sorted.flatMap { entry in
      entry.module.commands.map { "\(entry.module.name)/\($0.name)" }
    }.sorted()
  }
}
