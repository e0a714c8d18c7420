import Glibc

/// The lookups by which the system resolves a symbolic link; see path_resolution(7).
///
/// The caller performs them one by one, so that it can act before each.
struct LinkResolution {
  /// The maximum number of lookups for one link; later ones are skipped.
  static let lengthMax = 256

  /// The directory of the next lookup, without symbolic links.
  private var directory: PathBytes
  /// The remaining names, the next one last.
  private var rest: [PathBytes]
  private var length = 0

  /// Makes the lookups of a link; nil if there is no link at `path`.
  init?(of path: PathBytes) {
    guard let directory = try? PathBytes(resolving: path.parent),
      let target = try? PathBytes(readingLink: path)
    else { return nil }
    self.directory = directory
    rest = []
    turn(to: target)
  }

  /// The next name and the directory in which it is looked up; nil at the end.
  ///
  /// Bytes of the name that are not UTF-8 are replaced.
  var step: (directory: PathBytes, name: String)? {
    guard length < Self.lengthMax, let name = rest.last else { return nil }
    return (directory, name.text)
  }

  /// Looks up the next name.
  ///
  /// The lookups end if it doesn't exist.
  mutating func look() {
    guard let name = rest.popLast() else { return }
    length += 1
    let place = directory.appending(name)
    guard let status = try? FileStatus(at: place) else { return rest = [] }
    if status.kind == .symbolicLink {
      guard let target = try? PathBytes(readingLink: place) else { return rest = [] }
      turn(to: target)
    } else {
      directory = place
      climb()
    }
  }

  private mutating func turn(to target: PathBytes) {
    if target.isAbsolute { directory = PathBytes("/") }
    rest += target.components.reversed()
    climb()
  }

  /// Follows the next `..` components upward, which need no lookup.
  private mutating func climb() {
    while let name = rest.last, name == PathBytes("..") {
      directory = directory.parent
      rest.removeLast()
    }
  }
}
