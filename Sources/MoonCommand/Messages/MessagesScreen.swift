import Moonwire

extension Messages {
  /// What stands in the place of a screen that can't be made.
  static func placeholder(_ url: Text?, _ module: Text?) -> String {
    guard let url else {
      return
        "module \(module ?? "") is gone, and this screen with it: it comes back with the module"
    }
    let owner = module.map { " of module \($0)" } ?? ""
    return "the route\(owner) for \(url) is gone: the screen comes back with it"
  }

  /// Nothing is on a screen.
  static func noView(_ kind: Text, _ module: Text?) -> String {
    module.map { "nothing is on it, and module \($0) has no view for '\(kind)'" }
      ?? "nothing is on it"
  }

  static let unusedBody = "(its own body isn't shown: there is a view; slots add to views)"

  static func moreLines(_ count: Int) -> String { "… \(counted(count, "line")) more: :screen" }

  static let noScreenShown = "no screen is shown: :open URL shows one"

  /// A screen whose view failed, or made something that can't be shown.
  static func failure(_ failure: ScreenFailure) -> Report {
    switch failure {
    case .fault(let fault): Messages.fault(fault)
    case .suspended(let module): Messages.dispatch(.suspended(module))
    case .malformed(let error, let place):
      Report(
        "what should be shown isn't a list of elements", at: place, detail: "\(error)",
        rows: [.init("help", "a view returns elements, such as { type = \"TextBlock\", … }")])
    }
  }

  /// Nothing came of what a person did to a screen.
  static func screen(_ error: ScreenError) -> Report {
    switch error {
    case .noScreen:
      return Report("no screen is shown", rows: [.init("help", "show one: :open URL")])
    case .notShown(let failure):
      var report = Messages.failure(failure)
      report.headline = "the screen shows nothing to use: " + report.headline
      return report
    case .noControl(let name, let known):
      return Report("the screen has no control \(name)", rows: those(known))
    case .ambiguousControl(let name, let numbers):
      return Report(
        "several controls are called \(name)",
        rows: [.init("help", "use a number: \(list(numbers.map { ":tap \($0)" }, "or"))")])
    case .noInput(let name, let known):
      return Report("the screen has no input \(name)", rows: those(known))
    case .input(let error):
      return Report(
        "\(error.name) \(error.reason)", detail: error.message?.string,
        rows: [.init("help", "fill it in: :input \(key(error.input))=…")])
    case .dispatch(let error): return Messages.dispatch(error)
    }
  }

  /// There is no screen with an id.
  static func noScreen(_ id: String, known: [String]) -> Report {
    guard !known.isEmpty else { return screen(.noScreen) }
    return Report("there is no screen \(id)").adding(
      suggestion(Spelling.nearest(to: id, in: known)) ?? .init("there are", list(known)))
  }

  private static func those(_ known: [String]) -> [Report.Row] {
    known.isEmpty
      ? [.init("help", "it has none; :screen shows it")]
      : known.map { .init("there are", $0) }
  }

  /// The name of an input as it is typed: quoted if need be.
  static func key(_ name: Text) -> String {
    let needsQuotes = name.string.contains { $0.isWhitespace || $0 == "=" || $0 == "\"" }
    return needsQuotes || name.isEmpty ? Value.string(name).canonicalText : name.string
  }
}

extension Messages {
  /// What an input takes, in a word.
  static func kind(of input: CardInput) -> String {
    switch input.kind {
    case .text: "text"
    case .number: "number"
    case .toggle: "yes or no"
    case .choice(_, let isMultiple, _): isMultiple ? "choices, with commas between" : "choice"
    case .date: "date"
    case .time: "time"
    }
  }
}
