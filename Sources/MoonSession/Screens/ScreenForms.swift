import MoonCards
import MoonModules
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
    /// The first row that is drawn of a list, from 0, by the list's id.
    var firstRows: [Text: Int] = [:]
    /// The control whose action was refused last, until the screen is used again.
    var refusal: (control: Text, ControlRefusal)?
    /// The values that modules have set, by input, until the screen is drawn next.
    fileprivate(set) var requests: [Text: InputRequest] = [:]
  }

  private var forms: [Text: Form] = [:]
  /// The number of pending requests on all screens.
  private(set) var requestCount = 0

  var isEmpty: Bool { forms.isEmpty }

  /// The form of the screen with this id.
  subscript(screen: Text) -> Form {
    get { forms[screen] ?? Form() }
    set { forms[screen] = newValue }
  }

  /// Records the value that a module sets for an input; it replaces an earlier one.
  mutating func request(_ request: InputRequest, ofInput input: Text, on screen: Text) {
    if self[screen].requests.updateValue(request, forKey: input) == nil { requestCount += 1 }
  }

  /// Removes and returns the requests of a screen.
  mutating func takeRequests(of screen: Text) -> [Text: InputRequest] {
    guard let requests = forms[screen]?.requests, !requests.isEmpty else { return [:] }
    forms[screen]?.requests = [:]
    requestCount -= requests.count
    return requests
  }

  /// Removes the form of a screen that is gone.
  mutating func forget(_ screen: Text) {
    requestCount -= forms[screen]?.requests.count ?? 0
    forms[screen] = nil
  }
}

extension ScreenForms.Form {
  /// Returns the refusal of a control that a card still has.
  func refusal(in card: Card?) -> ControlRefusal? {
    guard let refusal, card?.control(numbered: refusal.1.number)?.title == refusal.control else {
      return nil
    }
    return refusal.1
  }
}
