/// Whose code runs now: what the functions that code can call act on.
///
/// Confined to the host, which has one for all of its sessions.
package final class Activity {
  private struct Call {
    // Not counted, since two calls of each dispatch come through here and would count four
    // references each, a fiftieth of its instructions. Whoever makes a call holds both objects
    // until it returns, and `run` takes them away before that.
    let session: Unmanaged<Session>
    let registration: Unmanaged<BoundRegistration>?
  }

  // Never lent while the code runs, so that a check at each access would find nothing. Without the
  // checks a dispatch takes 330 instructions less.
  @exclusivity(unchecked) private var current: Call?
  /// Whether the files of a module run, which may register things and nothing else.
  package private(set) var isLoading = false

  package init() {}

  /// The session whose code runs, and which registration, nil for text typed at the prompt; nil
  /// while no code runs, or a module is loaded.
  package var call: (session: Session, registration: BoundRegistration?)? {
    guard !isLoading, let current else { return nil }
    return (current.session.takeUnretainedValue(), current.registration?.takeUnretainedValue())
  }

  /// Runs code, and notes meanwhile whose it is; nil for text typed at the prompt.
  @inline(__always)
  package func run<Result, Failure: Error>(
    _ registration: BoundRegistration?, in session: Session,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = current
    current = Call(
      session: .passUnretained(session), registration: registration.map { .passUnretained($0) })
    defer { current = outer }
    return try body()
  }

  /// Runs the files of a module.
  package func load<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = isLoading
    isLoading = true
    defer { isLoading = outer }
    return try body()
  }
}
