import Glibc

/// A path in the form of system calls: bytes that end with a NUL.
///
/// Paths are compared by bytes. Swift compares strings by canonical equivalence, under which two
/// different directories, one named with a composed and one with a decomposed letter, would be
/// equal. That would be a way out of the root.
package struct PathBytes: Hashable, Sendable {
  /// Ends with its only NUL.
  package let characters: [CChar]

  /// `text` must not have a NUL.
  package init(_ text: String) {
    characters = Array(text.utf8CString)
  }

  private init(bytes: some Sequence<CChar>) {
    characters = Array(bytes) + [0]
  }

  /// The path without symbolic links, `.` and `..`.
  init(resolving path: Self) throws(SystemError) {
    guard let resolved = realpath(path.characters, nil) else { throw .latest }
    defer { free(resolved) }
    self.init(bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// The target of the symbolic link at `path`.
  package init(readingLink path: Self) throws(SystemError) {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path.characters, &buffer, buffer.count)
    guard count >= 0 else { throw .latest }
    self.init(bytes: buffer.prefix(count))
  }

  /// Reads a name up to the first NUL.
  package init(readingName buffer: UnsafeRawBufferPointer) {
    self.init(bytes: buffer.prefix { $0 != 0 }.map { CChar(bitPattern: $0) })
  }

  /// The bytes without the NUL.
  package var bytes: [UInt8] { characters.dropLast().map { UInt8(bitPattern: $0) } }

  /// The path as text; nil if it isn't UTF-8.
  package var validText: String? { String(validating: bytes, as: UTF8.self) }

  /// For people; bytes that are not UTF-8 are replaced.
  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The parent directory of this path, which must be absolute and resolved.
  var parent: Self {
    let end = characters.lastIndex(of: Self.slash) ?? 0
    return Self(bytes: end == 0 ? [Self.slash] : Array(characters[..<end]))
  }

  func appending(_ relative: String) -> Self {
    relative.isEmpty ? self : appending(Self(relative))
  }

  package func appending(_ relative: Self) -> Self {
    let separator = isFilesystemRoot ? [] : [Self.slash]
    return Self(bytes: characters.dropLast() + separator + relative.characters.dropLast())
  }

  var isAbsolute: Bool { characters.first == Self.slash }

  /// The names in the path, `..` among them and `.` not.
  var components: [Self] {
    characters.dropLast().split(separator: Self.slash).map { Self(bytes: $0) }
      .filter { $0 != Self(".") }
  }

  /// Whether `other` is this path or below it.
  ///
  /// Both must be absolute and resolved.
  func contains(_ other: Self) -> Bool {
    guard self != other, !isFilesystemRoot else { return true }
    return other.characters.starts(with: characters.dropLast() + [Self.slash])
  }

  private var isFilesystemRoot: Bool { characters == [Self.slash, 0] }
  private static let slash = CChar(UInt8(ascii: "/"))
}
