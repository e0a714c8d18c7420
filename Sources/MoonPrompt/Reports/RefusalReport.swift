import MoonTerminal
import Moonwire

extension Refusal {
  /// The report on what a module has refused: its reason, and no excerpt, since nothing is broken.
  var report: Report {
    var report = Report(.refused, reason)
    if let origin {
      let place = origin.place.map { " (\($0))" } ?? ""
      report.rows = [.init("by", "\(origin.registration) of module \(origin.module)\(place)")]
    }
    report.refusal = .map(value)
    return report
  }
}

extension Report {
  /// The report that events about failures of a module were left out; `count` is nil at the first.
  init(leftOutOf module: String, count: Int?) {
    let module = TerminalText.singleLine(module)
    if let count {
      self.init(.note, "\(Wording.counted(count, "report")) about module \(module) left out")
    } else {
      self.init(
        .warning, "module \(module) causes more than 100 failures a second",
        rows: [.init("meanwhile", "the rest isn't reported, and other modules go on")])
    }
  }
}
