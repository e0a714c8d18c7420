/// Lays out a list of which a card has only some rows.
enum ListLayout {
  /// What stands for a row that the card doesn't have.
  private static let unseenMark = "…"
  /// The maximum number of lines for all rows of a list, if their average height were that of those
  /// that are drawn.
  private static let lineCountMax = 1_000_000

  /// Returns the lines of a list with the rows that the card has.
  ///
  /// On a stage, the other rows take as much room as these do, so that what is seen stays where it
  /// is when they come; as text, it is said how many there are.
  static func lines(
    of list: CardList, with rows: [CardLine], on medium: CardMedium
  ) -> [CardLine] {
    let before = list.rows.lowerBound
    let after = list.rowCount - list.rows.upperBound
    guard medium == .stage else {
      return note(before, "above") + rows + note(after, "below")
    }
    // Rounded up, since a gap follows each row but the last.
    let average = (rows.count + list.rows.count - 1) / max(1, list.rows.count)
    let height = min(max(1, average), lineCountMax / list.rowCount)
    let unseen = CardLine(unseenMark, .unseen(list.number))
    return Array(repeating: unseen, count: before * height) + rows
      + Array(repeating: unseen, count: after * height)
  }

  private static func note(_ count: Int, _ place: String) -> [CardLine] {
    count == 0 ? [] : [CardLine("… \(count) \(place)", .subtle)]
  }
}
