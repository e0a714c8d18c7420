import MoonValues

/// What people have typed into screens, and shown or hidden on them, until the screens go.
struct ScreenForms {
  /// What a person has done to one screen and has not handed over yet.
  struct Form {
    /// What was typed, by input.
    var inputs = Map()
    /// What was shown or hidden, by element.
    var visibility: [Text: Bool] = [:]
  }

  private var forms: [Text: Form] = [:]

  /// The form of a screen, by its id.
  subscript(screen: Text) -> Form {
    get { forms[screen] ?? Form() }
    set { forms[screen] = newValue }
  }

  /// Forgets the form of a screen that is gone.
  mutating func forget(_ screen: Text) { forms[screen] = nil }
}
