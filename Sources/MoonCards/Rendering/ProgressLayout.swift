/// Progress bars.
extension Layout {
  /// The maximum width of a bar; a longer one tells no more.
  private static let barWidthMax = 40
  /// The room for a blank and a percentage after the bar.
  private static let percentageWidth = 6

  func line(_ progress: Progress, width: Int) -> CardLine {
    let role = TextStyle(color: progress.color).role
    let percentage = width > 2 * Self.percentageWidth ? progress.fraction : nil
    let room = percentage == nil ? width : width - Self.percentageWidth
    let length = max(1, min(room, Self.barWidthMax))
    // The fraction is from 0 to 1, so no conversion can overflow.
    let filled = Int(((progress.fraction ?? 0) * Double(length)).rounded(.down))
    var line = CardLine(String(repeating: "█", count: filled), role)
    line.append(CardLine(String(repeating: "░", count: length - filled), .subtle))
    if let percentage {
      line.append(CardLine(" \(Int((percentage * 100).rounded(.down))) %", .plain))
    }
    return line
  }
}
