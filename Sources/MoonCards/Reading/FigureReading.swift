import MoonValues

/// Reads elements that show figures.
enum FigureReading {
  /// Returns the content of an element; nil for an unknown type.
  static func content(
    _ type: Text, _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> Element.Content? {
    switch type {
    case "ProgressBar": .progress(Progress(reading: &fields))
    case "Chart.HorizontalBar": .chart(try Chart(.bars, reading: &fields, &reader))
    case "Chart.Line": .chart(try Chart(.line, reading: &fields, &reader))
    default: nil
    }
  }
}

extension Chart {
  fileprivate init(
    _ kind: Kind, reading fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) {
    self.kind = kind
    title = fields.optionalText("title")
    color = fields.word("color", otherwise: .accent)
    fields.ignore("colorSet", "displayMode", "xAxisTitle", "yAxisTitle")
    let data = try fields.list("data")
    guard kind == .line else {
      series = [Series(points: try Self.points(data, &fields, &reader))]
      return
    }
    for var own in try Self.maps(data, &fields, &reader) {
      let title = own.optionalText("legend") ?? ""
      do throws(CardError) {
        let points = try Self.points(try own.list("values"), &own, &reader)
        series.append(Series(title: title, points: points))
        reader.finish(own)
      } catch {
        try reader.leaveOut(error)
      }
    }
  }

  /// Returns the fields of the entries that are maps; the others are left out.
  private static func maps(
    _ data: [(value: Value, path: Path)], _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> [Fields] {
    var maps: [Fields] = []
    for (value, path) in data {
      try reader.count(path)
      guard case .map(let map) = value else {
        fields.leaveOut(.wrongKind(path, expected: .map))
        continue
      }
      var own = Fields(map, at: path)
      own.ignore("color")
      maps.append(own)
    }
    return maps
  }

  private static func points(
    _ data: [(value: Value, path: Path)], _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> [Point] {
    var points: [Point] = []
    for var own in try maps(data, &fields, &reader) {
      let title = own.optionalScalar("x").map { Text($0.inputText) } ?? ""
      if let figure = own.optionalNumber("y"), let number = figure.finiteNumber {
        points.append(Point(title: title, value: number, figure: figure.inputText))
      } else if own.optional("y") == nil {
        own.leaveOut(.missing(own.path("y")))
      }
      reader.finish(own)
    }
    return points
  }
}

extension Progress {
  fileprivate init(reading fields: inout Fields) {
    var largest = fields.optionalNumber("max")?.finiteNumber ?? 100
    if largest <= 0 {
      fields.leaveOut(.wrongKind(fields.path("max"), expected: .positiveNumber))
      largest = 100
    }
    let value = fields.optionalNumber("value")?.finiteNumber
    fraction = value.map { min(max($0 / largest, 0), 1) }
    color = fields.word("color", otherwise: .accent)
  }
}
