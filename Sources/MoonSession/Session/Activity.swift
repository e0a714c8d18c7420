import MoonActions
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
    /// Whether no budget ends it.
    fileprivate let isWatched: Bool

    fileprivate init(_ registration: BoundRegistration?, in session: Session) {
      self.session = session
      self.registration = registration
      isWatched = registration?.isSwift ?? false
    }

    fileprivate var watched: BoundRegistration? { isWatched ? registration : nil }
  }

  private var current: Call?
  /// Whether the files of a module are being run.
  ///
  /// Such code may register things and nothing else.
  package private(set) var isLoading = false

  /// Notices code in Swift that doesn't return; nil if nobody needs to know.
  package var watch: CallWatch?

  /// What measures the work of the host; nil for nothing.
  package let telemetry: (any Telemetry)?
  /// Whether anything does; copying the above would take a hundred instructions for each question.
  package let isMeasured: Bool

  package init(telemetry: (any Telemetry)? = nil) {
    self.telemetry = telemetry
    isMeasured = telemetry != nil
  }

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
    let outer = current
    leave(to: Call(registration, in: session))
    return outer
  }

  /// Notes that the code has returned to the call that it interrupted.
  func leave(to outer: Call?) {
    if let watch, outer?.isWatched ?? false || current?.isWatched ?? false {
      watch.note(outer?.watched)
    }
    current = outer
  }

  /// Runs the code of a service's function on the host's thread.
  package func run<Result, Failure: Error>(
    _ function: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let watch, let registration = current?.registration else { return try body() }
    watch.note(registration, calling: function)
    defer { watch.note(current?.watched) }
    return try body()
  }

  /// Checks that the program may dispatch now: what reduces or draws must not.
  ///
  /// - Throws: ``DispatchError/withinReducer`` or ``DispatchError/readOnlyView``.
  func checkDispatching() throws(DispatchError) {
    switch current?.registration?.registration.kind {
    case .reducer: throw .withinReducer
    case .view, .viewExtension: throw .readOnlyView
    default: break
    }
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
