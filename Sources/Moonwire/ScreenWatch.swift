import MoonActions
import MoonSession

/// Notices when the drawings of the shown screens of sessions change.
///
/// Confined to the host.
final class ScreenWatch {
  /// The number of failed drawings in a row after which a view isn't called again until modules
  /// change.
  ///
  /// Without this limit, watching a screen could suspend its module.
  static let failureCountMax = 3

  private struct Drawing {
    var shown: ShownScreen?
    var failureCount = 0
    var router: ObjectIdentifier
  }

  private var drawings: [SessionID: Drawing] = [:]
  private var isDue = false

  /// Requests a drawing of the watched screens; returns whether the caller must schedule it.
  func becomesDue() -> Bool {
    guard !drawings.isEmpty, !isDue else { return false }
    isDue = true
    return true
  }

  /// Starts watching a session.
  func add(_ session: Session) {
    guard drawings[session.id] == nil else { return }
    drawings[session.id] = Drawing(
      shown: ScreenPresentation(session: session).shown(), router: Self.router(of: session))
  }

  func remove(_ id: SessionID) { drawings[id] = nil }

  /// Draws the shown screen of each watched session; returns those that have changed.
  func look(at sessions: [Session]) -> [(SessionID, ShownScreen?)] {
    isDue = false
    var changes: [(SessionID, ShownScreen?)] = []
    for session in sessions {
      guard var drawing = drawings[session.id] else { continue }
      let router = Self.router(of: session)
      if router != drawing.router { drawing.failureCount = 0 }
      drawing.router = router
      guard drawing.failureCount < Self.failureCountMax else { continue }
      let shown = ScreenPresentation(session: session).shown()
      drawing.failureCount = shown?.failure == nil ? 0 : drawing.failureCount + 1
      if shown != drawing.shown { changes.append((session.id, shown)) }
      drawing.shown = shown
      drawings[session.id] = drawing
    }
    return changes
  }

  /// Returns the identity of the router, which changes whenever modules change.
  private static func router(of session: Session) -> ObjectIdentifier {
    ObjectIdentifier(session.modules.registry.router)
  }
}
