import MoonActions
public import MoonValues

/// A function that is called when settings of the module change.
public struct SettingsHook: Registrable {
  /// A function that receives the names of the settings that have changed.
  public typealias Body = (_ changed: [String], _ context: SessionContext) throws -> Void

  /// The kind, name and place of the registration.
  public let registration: Registration
  package let body: Body

  /// Makes a hook.
  public init(place: SourcePlace? = nil, _ body: @escaping Body) {
    registration = Registration(.onSettings, RegistrationKind.onSettings.rawValue, place: place)
    self.body = body
  }
}
