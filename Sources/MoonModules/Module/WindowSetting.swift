import MoonActions
public import MoonValues

/// What happens to a URL that comes to a window while something else is shown there, unless the
/// routing option says otherwise.
public struct WindowSetting: Registrable {
  /// The id of the window.
  package let window: Text
  /// The tab that screens are shown in; nil for nothing in particular.
  package let inTab: RoutingOption.InTab?
  /// What happens while something is presented over the window; nil for nothing in particular.
  package let overModal: RoutingOption.OverModal?
  /// The kind, name and place of the registration.
  package let registration: Registration

  /// Makes a setting.
  public init(
    _ window: Text, inTab: RoutingOption.InTab? = nil, overModal: RoutingOption.OverModal? = nil,
    place: SourcePlace? = nil
  ) {
    self.window = window
    self.inTab = inTab
    self.overModal = overModal
    registration = Registration(.windowSetting, window.string, place: place)
  }
}
