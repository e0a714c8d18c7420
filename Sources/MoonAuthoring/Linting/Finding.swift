package import MoonPrompt
package import Moonwire

/// One thing that a check has found.
package struct Finding: Sendable {
  package let code: CheckCode
  package let report: Report
  /// The place; nil if it isn't about one.
  package let place: SourcePlace?
  /// The column, from 1; nil if it isn't known.
  package let column: Int?
  /// The record for programs.
  package let record: Map

  /// Makes a finding of a report; `more` is added to its record.
  init(
    _ code: CheckCode, _ report: Report, at place: SourcePlace? = nil, column: Int? = nil,
    record more: Map = Map()
  ) {
    let report = report.coded(code)
    self.code = code
    self.report = report
    self.place = place ?? report.place
    self.column = column
    var record = report.value.mapValue ?? Map()
    for (key, value) in more where record[key] == nil { record[key] = value }
    if let place = self.place {
      record["file"] = .string(Text(place.file))
      if place.line > 0 { record["line"] = .int(Int64(place.line)) }
    }
    record["column"] = column.map { .int(Int64($0)) }
    self.record = record
  }

  /// What was found, with the name that may have been meant.
  var text: String {
    let suggestion = report.rows.first { $0.label == "help" && $0.text.hasSuffix("?") }?.text
    return [report.headline, report.detail, suggestion].compactMap(\.self).joined(separator: ": ")
  }

  /// The finding in one line, as editors read it: `todo.lua:3:9: warning: text [code]`.
  package var line: String {
    var beginning = ""
    if let place {
      beginning = place.file + (place.line > 0 ? ":\(place.line)" : "")
      beginning += (column.map { ":\($0)" } ?? "") + ": "
    }
    return "\(beginning)\(report.severity.rawValue): \(text) [\(code.rawValue)]"
  }
}
