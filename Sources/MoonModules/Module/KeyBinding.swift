import MoonActions
package import MoonValues

/// A key, and what it does, in the whole app or on some screens.
package struct KeyBinding: Registrable, Sendable {
  /// The keys to press.
  package let keys: KeySequence
  /// The screens that the key is for; nil for the whole app, with or without a screen.
  package let screens: ScreenPattern?
  /// What it does; nil if the person wants it to do nothing.
  package let target: KeyTarget?
  /// The kind, name and place of the registration.
  package let registration: Registration

  /// Makes a binding.
  package init(
    _ keys: KeySequence, on screens: ScreenPattern? = nil, _ target: KeyTarget?,
    place: SourcePlace? = nil
  ) {
    self.keys = keys
    self.screens = screens
    self.target = target
    let scope = screens.map { " on \($0)" } ?? ""
    registration = Registration(.key, "\(keys)\(scope)", place: place)
  }

  /// How exactly it says where it applies, from 0.
  package var exactness: Int {
    switch screens {
    case .kind: 3
    case .module: 2
    case .all: 1
    case nil: 0
    }
  }
}
