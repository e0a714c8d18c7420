package import MoonValues

/// The idempotency keys of the calls that a command makes for a durable task.
///
/// No log answers a command that is called again, and it may do something else then. So a key
/// follows from the call itself, and from how many such calls were made before.
///
/// Confined to the host.
package final class CallKeys {
  /// The maximum number of different calls that get keys.
  package static let callCountMax = 10_000

  private let root: Text
  private var counts: [String: Int] = [:]

  /// Makes the keys; `root` is that of the call of the command.
  package init(after root: Text) { self.root = root }

  /// Returns the key of the next such call; nil if there were too many different ones.
  package func next(for call: TaskCall) -> Text? {
    let call = "\(call.function)-\(call.hash)"
    let count = counts[call, default: 0] + 1
    guard count > 1 || counts.count < Self.callCountMax else { return nil }
    counts[call] = count
    return Text("\(root.string)-\(call)-\(count)")
  }
}
