import MoonValues

/// Turns charts into lines.
struct ChartLayout {
  let width: Int

  /// The maximum width of the bars or the line of a chart; a longer one tells no more.
  private static let widthMax = 40
  /// The minimum share of the width that titles leave to the figures.
  private static let titlePart = 3
  /// An eighth of a character and more, for the end of a bar.
  private static let bars = Array(" ▏▎▍▌▋▊▉█")
  /// The heights of a line.
  private static let heights = Array("▁▂▃▄▅▆▇█")

  func lines(_ chart: Chart) -> [CardLine] {
    var lines: [CardLine] = []
    if let title = chart.title, !title.isEmpty {
      lines = TextFlow.lines(title.string, .strong, width: width)
    }
    let role = TextStyle(color: chart.color).role
    let figures =
      switch chart.kind {
      case .bars: bars(chart.series.flatMap(\.points), role)
      case .line: curves(chart.series, role)
      }
    return lines + figures.map { $0.clipped(to: width) }
  }

  /// Returns a bar for each figure, with its title before it and the figure behind it.
  private func bars(_ points: [Chart.Point], _ role: CardRole) -> [CardLine] {
    let titles = points.map { title($0.title) }
    let titleWidth = titles.map(\.width).max() ?? 0
    let figures = points.map { CardLine($0.figure, .plain) }
    let used = titleWidth + (figures.map(\.width).max() ?? 0) + 2 * Layout.gap
    let room = max(1, min(width - used, Self.widthMax))
    let largest = points.map(\.value).max() ?? 0
    return points.indices.map { index in
      let part = largest > 0 ? max(0, points[index].value / largest) : 0
      // The part is from 0 to 1, so no conversion can overflow.
      let eighths = Int((part * Double(room * 8)).rounded())
      var bar = String(repeating: "█", count: eighths / 8)
      if eighths % 8 > 0 { bar.append(Self.bars[eighths % 8]) }
      var line = titles[index]
      line.pad(to: titleWidth + (titleWidth > 0 ? Layout.gap : 0))
      line.append(CardLine(bar, role))
      line.append(CardLine(bar.isEmpty ? "" : " ", .plain))
      line.append(figures[index])
      return line
    }
  }

  /// Returns a line of heights for each series, with its range behind it.
  private func curves(
    _ series: [Chart.Series], _ role: CardRole
  ) -> [CardLine] {
    let titles = series.map { title($0.title) }
    let titleWidth = titles.map(\.width).max() ?? 0
    return series.indices.map { index in
      let points = series[index].points
      var line = titles[index]
      line.pad(to: titleWidth + (titleWidth > 0 ? Layout.gap : 0))
      guard let least = points.min(by: { $0.value < $1.value }),
        let most = points.max(by: { $0.value < $1.value })
      else { return line }
      let range = CardLine(" \(least.figure) to \(most.figure)", .subtle)
      let room = max(1, min(width - line.width - range.width, Self.widthMax))
      let shown = Self.sampled(points.map(\.value), to: room)
      let curve = shown.map { value in
        // Halves, since the difference of two doubles may be too large for one.
        let part = (value / 2 - least.value / 2) / max(most.value / 2 - least.value / 2, .ulpOfOne)
        return Self.heights[min(7, max(0, Int(part * 8)))]
      }
      line.append(CardLine(String(curve), role))
      line.append(range)
      return line
    }
  }

  private func title(_ text: Text) -> CardLine {
    let lines = TextFlow.lines(text.string, .plain, width: Layout.measuringWidth)
    return (lines.first ?? CardLine()).clipped(to: max(1, width / Self.titlePart))
  }

  /// Returns at most `count` values, the highest of those that share a place.
  private static func sampled(_ values: [Double], to count: Int) -> [Double] {
    guard values.count > count else { return values }
    return (0..<count).compactMap { place in
      values[(place * values.count / count)..<((place + 1) * values.count / count)].max()
    }
  }
}
