/// Bars that show how much of something is done.
extension Layout {
  /// The widest bar; a longer one tells no more.
  private static let barWidthMax = 40
  /// The room for a blank and a percentage after the bar.
  private static let percentageWidth = 6

  func line(_ progress: Progress, width: Int) -> CardLine {
    let role = TextStyle(color: progress.color).role
    let room = max(1, min(width - Self.percentageWidth, Self.barWidthMax))
    guard let fraction = progress.fraction else {
      return CardLine(String(repeating: "░", count: room), role)
    }
    // The fraction is from 0 to 1, so neither conversion can overflow.
    let filled = Int((fraction * Double(room)).rounded(.down))
    var line = CardLine(String(repeating: "█", count: filled), role)
    line.append(CardLine(String(repeating: "░", count: room - filled), .subtle))
    line.append(CardLine(" \(Int((fraction * 100).rounded(.down))) %", .plain))
    return line
  }
}
