import MoonValues

/// Reads which rows of a list its elements are.
enum ListReading {
  /// Returns the list that an element of a type is; nil if it has all of its rows, or is none.
  static func list(
    _ type: Text, _ element: Element, _ fields: inout Fields
  ) throws(CardError) -> CardList? {
    guard type == "List", case .container(_, let rows) = element.content else { return nil }
    let first = (fields.optionalCount("first") ?? 1) - 1
    guard let count = fields.optionalCount("count"), count > rows.count else { return nil }
    guard count <= CardList.rowCountMax else {
      throw .limitExceeded(.rows, max: CardList.rowCountMax, fields.path("count"))
    }
    guard let id = element.id else {
      fields.leaveOut(.missing(fields.path("id")))
      return nil
    }
    guard first <= count - rows.count else {
      fields.leaveOut(.invertedRange(fields.path("first")))
      return nil
    }
    return CardList(id: id, rowCount: count, rows: first..<first + rows.count)
  }
}
