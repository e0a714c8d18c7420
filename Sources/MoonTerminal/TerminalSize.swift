import CMoonEdit

/// The size of a terminal.
public enum TerminalSize {
  /// The width assumed when none is known.
  public static let columnCountFallback = 80
  /// The largest width, whatever a terminal or `COLUMNS` says.
  public static let columnCountMax = 10_000

  /// The columns of the terminal behind `descriptor`; for anything else `COLUMNS`, and if that
  /// isn't a positive number, ``columnCountFallback``.
  ///
  /// At most ``columnCountMax``.
  public static func columns(of descriptor: Int32, environment: [String: String]) -> Int {
    let known = Int(medit_terminal_columns(descriptor))
    if known > 0 { return min(known, columnCountMax) }
    guard let named = environment["COLUMNS"].flatMap({ Int($0) }), named > 0 else {
      return columnCountFallback
    }
    return min(named, columnCountMax)
  }
}
