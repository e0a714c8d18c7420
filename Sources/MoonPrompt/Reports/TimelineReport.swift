import Moonwire

extension TimelineError {
  /// The report for people.
  var report: Report {
    Report("\(self)", rows: promptAdvice.map { [.init("help", $0)] } ?? [])
  }

  /// Advice for the prompt.
  private var promptAdvice: String? {
    switch self {
    case .noStep: ":timeline lists the actions that it has"
    case .isPast:
      ":timeline cut forgets what came later; :goto present returns to the latest state"
    case .noSession, .notKept, .isBusy, .atBeginning, .atEnd, .nothingToUndo, .tooManyActions,
      .tookTooLong:
      nil
    }
  }
}
