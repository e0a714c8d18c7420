/// The exit codes of the program, which are those of sysexits(3) where one fits.
package enum ExitStatus {
  package static let problemsFound: Int32 = 1
  package static let usageError: Int32 = 64
  package static let dataError: Int32 = 65
  package static let noInput: Int32 = 66
  package static let unavailable: Int32 = 69
  package static let internalError: Int32 = 70
  package static let cannotCreate: Int32 = 73
  package static let outputError: Int32 = 74
  package static let timedOut: Int32 = 75

  /// Returns the exit code for an end by a signal, as in shells.
  package static func signal(_ number: Int32) -> Int32 { 128 + number }
}
