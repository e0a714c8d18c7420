package import MoonModules

/// The module code that runs now, and its session.
///
/// The host's functions that code calls act on these.
///
/// Confined to the host, which has one for all its sessions.
package final class Activity {
  /// A call of code.
  struct Call {
    fileprivate let session: Session
    fileprivate let registration: BoundRegistration?
  }

  private var current: Call?
  /// Whether the files of a module are being run.
  ///
  /// Such code may register things and nothing else.
  package private(set) var isLoading = false

  package init() {}

  /// The session whose code runs, and the registration, which is nil for text typed at the prompt.
  ///
  /// The pair is nil while no code runs or a module is being loaded.
  package var call: (session: Session, registration: BoundRegistration?)? {
    guard !isLoading, let current else { return nil }
    return (current.session, current.registration)
  }

  /// Runs code on behalf of a registration, or nil for text typed at the prompt.
  package func run<Result, Failure: Error>(
    _ registration: BoundRegistration?, in session: Session,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = enter(registration, in: session)
    defer { leave(to: outer) }
    return try body()
  }

  /// Notes that code begins to run; returns the call that it interrupts.
  ///
  /// The caller calls ``leave(to:)`` when the code has returned.
  func enter(_ registration: BoundRegistration?, in session: Session) -> Call? {
    defer { current = Call(session: session, registration: registration) }
    return current
  }

  /// Notes that the code has returned to the call that it interrupted.
  func leave(to outer: Call?) { current = outer }

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
