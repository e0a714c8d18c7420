import CMoonEdit

/// How large a terminal is.
public enum TerminalSize {
  /// What is assumed when nobody knows.
  public static let columnCountFallback = 80

  /// The columns of the terminal behind `descriptor`; where that is none, `COLUMNS`, and where that
  /// is no positive number, ``columnCountFallback``.
  public static func columns(of descriptor: Int32, environment: [String: String]) -> Int {
    let known = Int(medit_terminal_columns(descriptor))
    if known > 0 { return known }
    guard let named = environment["COLUMNS"].flatMap({ Int($0) }), named > 0 else {
      return columnCountFallback
    }
    return named
  }
}
