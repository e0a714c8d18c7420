import Glibc

/// The digits with which the linker marks a program.
///
/// A separate file of debugging information has the same digits. Debuggers and `file` show them.
enum BuildID {
  /// The digits of this program; nil if it has none.
  static var current: String? {
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var beginning = [UInt8](repeating: 0, count: noteOffsetMax)
    let count = read(file, &beginning, beginning.count)
    return count > 0 ? find(in: beginning[..<count]) : nil
  }

  /// Linkers put the note right after the headers of the file.
  private static let noteOffsetMax = 4096
  private static let digitCount = 20
  /// The start of the note: the length of its name, the length of the digits and its kind, in four
  /// bytes each, and then the name.
  private static let noteStart =
    [4, 0, 0, 0, UInt8(digitCount), 0, 0, 0, UInt8(NT_GNU_BUILD_ID), 0, 0, 0] + Array("GNU\0".utf8)

  /// Returns the digits at the beginning of a program, in hexadecimal.
  static func find(in beginning: ArraySlice<UInt8>) -> String? {
    guard let found = beginning.firstRange(of: noteStart) else { return nil }
    let digits = beginning[found.upperBound...].prefix(digitCount)
    guard digits.count == digitCount else { return nil }
    return digits.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
