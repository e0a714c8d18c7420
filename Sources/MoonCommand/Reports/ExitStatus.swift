/// The exit codes of the program, which are those of sysexits(3) where one fits.
enum ExitStatus {
  static let problemsFound: Int32 = 1
  static let usageError: Int32 = 64
  static let dataError: Int32 = 65
  static let noInput: Int32 = 66
  static let internalError: Int32 = 70
  static let cannotCreate: Int32 = 73
  static let outputError: Int32 = 74

  /// Returns the exit code for an end by a signal, as in shells.
  static func signal(_ number: Int32) -> Int32 { 128 + number }
}
