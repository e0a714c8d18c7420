import Foundation

/// A locale that differs from C in letters, the order of strings and the decimal separator: German
/// in ISO 8859-1, made by the system's locale compiler.
package final class ForeignLocale: Sendable {
  /// The name, for `setlocale` or `LC_ALL`.
  package static let name = "de_DE"

  private let folder: TemporaryFolder

  /// The value of `LOCPATH` under which it is found.
  package var path: String { folder.path }

  /// Makes the locale.
  ///
  /// - Throws: An error if the system lacks the sources of locales, Debian's package `locales`.
  package init() throws {
    folder = try TemporaryFolder()
    let maker = Process()
    maker.executableURL = URL(filePath: "/usr/bin/localedef")
    maker.arguments = ["-i", Self.name, "-f", "ISO-8859-1", "\(folder.path)/\(Self.name)"]
    try maker.run()
    maker.waitUntilExit()
    guard FileManager.default.fileExists(atPath: "\(folder.path)/\(Self.name)/LC_CTYPE") else {
      throw CocoaError(.fileNoSuchFile)
    }
  }
}
