import CMoonEdit

/// The size of a terminal.
package enum TerminalSize {
  /// The width assumed if none is known.
  package static let columnCountFallback = 80
  /// The maximum width, whatever a terminal or `COLUMNS` says.
  package static let columnCountMax = 10_000

  /// Returns the number of columns of the terminal behind `descriptor`, at most ``columnCountMax``.
  ///
  /// If it isn't a terminal, the result is `COLUMNS`, or ``columnCountFallback`` if that isn't a
  /// positive number.
  package static func columns(of descriptor: Int32, environment: [String: String]) -> Int {
    if let known = columns(of: descriptor) { return known }
    guard let named = environment["COLUMNS"].flatMap({ Int($0) }), named > 0 else {
      return columnCountFallback
    }
    return min(named, columnCountMax)
  }

  /// Returns the number of columns of the terminal behind `descriptor`; nil if it isn't a terminal
  /// or doesn't report its size.
  package static func columns(of descriptor: Int32) -> Int? {
    let known = Int(medit_terminal_columns(descriptor))
    return known > 0 ? min(known, columnCountMax) : nil
  }

  /// Returns the number of rows of the terminal behind `descriptor`; nil if it isn't a terminal or
  /// doesn't report its size.
  package static func rows(of descriptor: Int32) -> Int? {
    let known = Int(medit_terminal_rows(descriptor))
    return known > 0 ? known : nil
  }
}
