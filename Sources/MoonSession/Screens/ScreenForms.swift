import MoonValues

/// What people have typed into screens, and shown or hidden on them, until the screens go.
struct ScreenForms {
  /// What a person has done to one screen and has not handed over yet.
  struct Form {
    /// What was typed, by input.
    var inputs = Map()
    /// What was shown or hidden, by element.
    var visibility: [Text: Bool] = [:]
    /// What modules want inputs to hold, by input, until the screen is drawn next.
    fileprivate(set) var requests: [Text: InputRequest] = [:]
  }

  private var forms: [Text: Form] = [:]
  /// How many requests wait on all screens.
  private(set) var requestCount = 0

  /// The form of a screen, by its id.
  subscript(screen: Text) -> Form {
    get { forms[screen] ?? Form() }
    set { forms[screen] = newValue }
  }

  /// Notes what a module wants an input to hold, in place of what it wanted before.
  mutating func request(_ request: InputRequest, ofInput input: Text, on screen: Text) {
    if self[screen].requests.updateValue(request, forKey: input) == nil { requestCount += 1 }
  }

  /// Takes the requests of a screen away.
  mutating func takeRequests(of screen: Text) -> [Text: InputRequest] {
    guard let requests = forms[screen]?.requests, !requests.isEmpty else { return [:] }
    forms[screen]?.requests = [:]
    requestCount -= requests.count
    return requests
  }

  /// Forgets the form of a screen that is gone.
  mutating func forget(_ screen: Text) {
    requestCount -= forms[screen]?.requests.count ?? 0
    forms[screen] = nil
  }
}
