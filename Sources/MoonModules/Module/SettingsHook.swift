import MoonActions
package import MoonValues

/// A function that is called when settings of the module change.
package struct SettingsHook: Registrable {
  /// A function that receives the names of the settings that have changed.
  package typealias Body = (_ changed: [String], _ context: SessionContext) throws -> Void

  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes a hook.
  package init(place: SourcePlace? = nil, _ body: @escaping Body) {
    registration = Registration(.onSettings, RegistrationKind.onSettings.rawValue, place: place)
    self.body = body
  }
}
