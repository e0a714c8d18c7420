import MoonValues

/// The input that people have typed into screens, and the elements they have shown or hidden, until
/// the screens are gone.
struct ScreenForms {
  /// A person's changes to one screen that haven't been submitted.
  struct Form {
    /// The text typed, by input.
    var inputs = Map()
    /// Whether an element was shown or hidden, by its id.
    var visibility: [Text: Bool] = [:]
  }

  private var forms: [Text: Form] = [:]

  /// The form of the screen with this id.
  subscript(screen: Text) -> Form {
    get { forms[screen] ?? Form() }
    set { forms[screen] = newValue }
  }

  /// Removes the form of a screen that is gone.
  mutating func forget(_ screen: Text) { forms[screen] = nil }
}
