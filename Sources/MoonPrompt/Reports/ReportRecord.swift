package import Moonwire

extension Report {
  /// Makes the report that another program has in the form of ``value``, without its excerpt.
  ///
  /// Returns nil if it isn't one.
  package init?(record: Value) {
    guard let severity = record["kind"]?.stringValue.flatMap(Severity.init(rawValue:)),
      let headline = record["message"]?.stringValue
    else { return nil }
    let line = Int(clamping: record["line"]?.intValue ?? 0)
    self.init(
      severity, headline,
      at: record["file"]?.stringValue.map { SourcePlace(file: $0, line: max(0, line)) },
      detail: record["detail"]?.stringValue)
    code = record["code"]?.stringValue
    refusal = record["refusal"]
    rows = (record["more"]?.listValue ?? List()).compactMap { row in
      guard let label = row["label"]?.stringValue, let text = row["text"]?.stringValue else {
        return nil
      }
      return Row(label, text)
    }
  }
}
