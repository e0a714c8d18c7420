import Glibc
package import MoonFiles
import MoonPrompt
package import Moonwire

/// The colours of the stage, from a host config of Adaptive Cards.
///
/// Of such a file, the colours of texts in `containerStyles.default.foregroundColors` count: those
/// of `accent`, `good`, `warning` and `attention`, and in addition `action` for what can be tapped
/// and `input` for what is typed.
///
/// Source: the Adaptive Cards schema of host configs, version 1.5.
package struct StageTheme: Equatable, Sendable {
  /// The reason that a file isn't a theme.
  package enum Problem: Error, Equatable {
    case system(SystemError, path: String)
    case malformed(ParseError, path: String)
    /// A value is of another form than a host config has there.
    case wrong(String, expected: String, path: String)
  }

  /// The maximum size of the file in bytes.
  private static let byteCountMax = 1 << 20
  private static let colors: [(name: String, color: StageStyle.Color)] = [
    ("accent", .magenta), ("good", .green), ("warning", .yellow), ("attention", .red),
    ("action", .cyan), ("input", .input),
  ]

  /// The red, green and blue of each colour that isn't the terminal's own.
  private(set) var shades: [StageStyle.Color: UInt32] = [:]

  /// The colours of the terminal.
  package init() {}

  /// Reads a file, or without a name that of the person who runs the program, if there is one.
  ///
  /// - Throws: ``Problem``
  package init(named name: String?, in environment: [String: String]) throws(Problem) {
    let personal = PersonalFile.path("theme.json", variable: "MOONWIRE_THEME", in: environment)
    guard let path = name ?? personal else { return }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.bytes(of: path, upTo: Self.byteCountMax)
    } catch {
      if name == nil, error.code == ENOENT { return }
      throw .system(error, path: path)
    }
    let config: Value
    do throws(ParseError) {
      config = try Value(parsing: bytes.withoutByteOrderMark)
    } catch {
      throw .malformed(error, path: path)
    }
    try read(config, at: path)
  }

  private mutating func read(_ config: Value, at path: String) throws(Problem) {
    var place = ""
    var value = config
    for name in ["containerStyles", "default", "foregroundColors"] {
      guard value.mapValue != nil else {
        throw .wrong(place.isEmpty ? "the file" : place, expected: "an object", path: path)
      }
      place += (place.isEmpty ? "" : ".") + name
      guard let found = value[name] else { return }
      value = found
    }
    guard value.mapValue != nil else { throw .wrong(place, expected: "an object", path: path) }
    for (name, color) in Self.colors {
      guard let shade = value[name]?["default"] else { continue }
      guard let found = shade.stringValue.flatMap(Self.shade) else {
        throw .wrong(
          "\(place).\(name).default", expected: "a colour such as #2E86AB", path: path)
      }
      shades[color] = found
    }
  }

  /// Reads `#RRGGBB` or `#AARRGGBB`; a terminal has no transparency.
  private static func shade(_ text: String) -> UInt32? {
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), [6, 8].contains(digits.utf8.count),
      digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16)
    else { return nil }
    return number & 0xFF_FFFF
  }
}
