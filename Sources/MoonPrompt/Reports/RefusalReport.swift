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
