import MoonActions
public import MoonValues

/// A function that runs when a module starts or stops in a session.
public struct Hook {
  /// A function that receives the session.
  public typealias Body = (_ context: SessionContext) throws -> Void

  let place: SourcePlace?
  let body: Body

  /// Makes a hook.
  public init(place: SourcePlace? = nil, _ body: @escaping Body) {
    self.place = place
    self.body = body
  }
}

/// The hooks of a module.
package struct Hooks {
  /// Runs in each session when the module starts there.
  package var onStart: Hook?
  /// Runs instead of ``onStart`` in each session that continues an earlier run in which the module
  /// had started.
  package var onRestore: Hook?
  /// Runs in each session before the module leaves the session.
  package var onStop: Hook?
  /// Runs before the app goes back from one of the module's screens, and may prevent it.
  package var onBack: BackHook?
  /// Runs in each session when settings of the module have changed.
  package var onSettings: SettingsHook?
  /// Run before the app leaves a container by going back.
  package var containers: [ContainerHook] = []
  /// Runs for URLs that no route takes.
  package var unmatched: UnmatchedHandler?
  /// Converts a slice of an earlier version to the module's version.
  package var migrate: Migration?
  /// Carries out actions that go through the timeline.
  package var timelineControl: TimelineControl?

  package var all: [BoundHook] {
    [(onStart, RegistrationKind.onStart), (onRestore, .onRestore), (onStop, .onStop)]
      .compactMap { hook, kind in hook.map { BoundHook($0, kind) } }
  }
}

extension Hooks {
  /// All that are registered; a migration isn't, since it is a part of the slice's version.
  var registered: [any Registrable] {
    let parts: [(any Registrable)?] = [unmatched, onBack, onSettings, timelineControl]
    return containers + all + parts.compactMap(\.self)
  }
}

/// A hook with its kind, which says when it runs.
package struct BoundHook: Registrable {
  package let registration: Registration
  package let body: Hook.Body

  init(_ hook: Hook, _ kind: RegistrationKind) {
    registration = Registration(kind, kind.rawValue, place: hook.place)
    body = hook.body
  }
}

/// A function that converts a slice of an earlier version to the module's version.
public struct Migration {
  /// A function that receives the old slice and its version, and returns the new slice.
  public typealias Body = (_ old: Value, _ version: Int64) throws -> Value

  /// The kind, name and place of the registration.
  package let registration: Registration
  /// Whether the function checks the quota of what it makes itself.
  let isHeld: Bool
  package let body: Body

  /// Makes a migration.
  public init(place: SourcePlace? = nil, _ body: @escaping Body) {
    self.init(isHeld: false, place: place, body)
  }

  /// Makes a migration; `isHeld` says whether the function checks the quota itself.
  package init(isHeld: Bool, place: SourcePlace?, _ body: @escaping Body) {
    self.isHeld = isHeld
    registration = Registration(.migrate, RegistrationKind.migrate.rawValue, place: place)
    self.body = body
  }
}
