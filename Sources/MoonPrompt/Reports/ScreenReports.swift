import Moonwire

extension ScreenFailure {
  /// The report on a screen whose view failed or returned something that can't be shown.
  var report: Report {
    switch self {
    case .fault(let fault): fault.report
    case .suspended(let module): DispatchError.suspended(module).report
    case .malformed(let error, let place):
      Report(
        headline, at: place, detail: "\(error)",
        rows: [.init("help", "a view returns elements, such as { type = \"TextBlock\", … }")])
    }
  }
}

extension ScreenError {
  /// The report on a failed interaction with a screen.
  var report: Report {
    switch self {
    case .noScreen: return Report("\(self)", rows: [.init("help", "show one: :open URL")])
    case .notShown(let failure):
      var report = failure.report
      report.headline = "\(Self.nothingToUse): \(report.headline)"
      return report
    case .noControl(_, let known): return Report("\(self)", rows: Self.those(known, "controls"))
    case .noInput(_, let known): return Report("\(self)", rows: Self.those(known, "inputs"))
    case .noList(_, let known): return Report("\(self)", rows: Self.those(known, "such lists"))
    case .ambiguousControl(_, let numbers):
      let taps = numbers.map { ":tap \($0)" }
      return Report("\(self)", rows: [.init("help", "use a number: \(Wording.list(taps, "or"))")])
    case .input(let error, let control):
      let report = Report(
        "\(error)", detail: error.message?.string,
        rows: [.init("help", "fill it in: :input \(error.input.asTyped)=…")])
      guard let control else { return report }
      return report.adding(
        .init("help", "if the button needs no inputs, its options say so: { inputs = false }"),
        control.row)
    case .covered, .changed:
      return Report("\(self)", rows: [.init("help", "look at the screen that is shown now")])
    case .control(let control, let error): return error.report.adding(control.row)
    case .change(let input, let place, let error):
      return error.report.adding(
        .init("filled in", input.string + (place.map { " (\($0))" } ?? "")))
    case .malformedKey(let text, let reason):
      return Report("'\(text)' is no key", detail: reason)
    case .noKey(let keys, let known):
      let following = known.filter { $0.hasPrefix("\(keys) ") }
      let nearest = Report.Row.suggestion(Spelling.nearest(to: keys, in: known))
      return Report("\(self)").adding(
        following.isEmpty
          ? nearest ?? .init("help", ":keys lists those that do something")
          : .init("there are", Wording.list(following)))
    case .noFocus(_, nil):
      return Report(
        "\(self)",
        rows: [.init("help", "choose a control first; at the prompt: :press KEYS on NUMBER")])
    case .noFocus(_, .some):
      return Report(
        "\(self)",
        rows: [
          .init(
            "help", "data is given with the action: ui.button(\"Open\", \"open\", { id = 3 })")
        ]
      )
    case .key(let keys, let place, let error):
      return error.report.adding(.init("pressed", keys + (place.map { " (\($0))" } ?? "")))
    case .dispatch(let error): return error.report
    }
  }

  private static func those(_ known: [String], _ what: String) -> [Report.Row] {
    known.isEmpty
      ? [.init("help", "the screen on top has no \(what); :screen shows it")]
      : known.map { .init("there are", $0) }
  }
}

extension UsedControl {
  /// The row that names the control.
  fileprivate var row: Report.Row {
    .init("tapped", "[\(number)] \(title)" + (place.map { " (\($0))" } ?? ""))
  }
}

extension Text {
  /// The name of an input as it is typed, quoted if necessary.
  var asTyped: String {
    let needsQuotes = string.contains { $0.isWhitespace || $0 == "=" || $0 == "\"" }
    return needsQuotes || isEmpty ? Value.string(self).canonicalText : string
  }
}
