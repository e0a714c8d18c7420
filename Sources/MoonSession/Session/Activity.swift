/// Whose code runs now: what the functions that code can call act on.
///
/// Confined to the host, which has one for all of its sessions.
package final class Activity {
  /// What runs.
  package enum Current {
    /// No code of a module does.
    case idle
    /// The files of a module, which may register things and nothing else.
    case loading
    /// A registration, or text typed at the prompt (nil), in a session.
    case call(Session, BoundRegistration?)
  }

  // Replaced as a whole and never lent while other code runs; each dispatch enters it twice.
  @exclusivity(unchecked) private var current = Current.idle

  package init() {}

  /// The session whose code runs, and which registration; nil while none does.
  package var call: (session: Session, registration: BoundRegistration?)? {
    if case .call(let session, let registration) = current { (session, registration) } else { nil }
  }

  /// Whether the files of a module run.
  package var isLoading: Bool { if case .loading = current { true } else { false } }

  /// Runs code, and notes meanwhile whose it is.
  @inlinable
  package func run<Result, Failure: Error>(
    _ new: Current, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = exchange(new)
    defer { _ = exchange(outer) }
    return try body()
  }

  @usableFromInline
  package func exchange(_ new: consuming Current) -> Current {
    swap(&current, &new)
    return new
  }
}
