import Glibc

/// The lookups by which the system finds what a symbolic link leads to; see path_resolution(7).
///
/// They are made one by one, so that something can be done before each.
struct LinkWay {
  /// How many names are looked up on one way; what comes after them is left out.
  static let lengthMax = 256

  /// Where the next name is looked up, without symbolic links.
  private var directory: PathBytes
  /// The names to come, the next one last.
  private var rest: [PathBytes]
  private var length = 0

  /// Nil when there is no link at `path`.
  init?(of path: PathBytes) {
    guard let directory = try? PathBytes(resolving: path.parent),
      let target = try? PathBytes(readingLink: path)
    else { return nil }
    self.directory = directory
    rest = []
    turn(to: target)
  }

  /// The next name, and the directory that it is looked up in; nil at the end of the way.
  ///
  /// Bytes of the name that are not UTF-8 are replaced.
  var step: (directory: PathBytes, name: String)? {
    guard length < Self.lengthMax, let name = rest.last else { return nil }
    return (directory, name.text)
  }

  /// Looks the next name up; the way ends if there is nothing of that name.
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

  /// Goes up by the `..` that come next: no name is looked up for them.
  private mutating func climb() {
    while let name = rest.last, name == PathBytes("..") {
      directory = directory.parent
      rest.removeLast()
    }
  }
}
