import Glibc

/// An absolute path, without symbolic links, `.` and `..` in the part that exists; the rest is as
/// given.
package struct ResolvedPath: Sendable {
  /// The path as text.
  package let text: String

  /// Follows the links in an absolute path.
  package init(_ path: String) {
    var rest: [Substring] = []
    var parts = path.split(separator: "/")
    while true {
      let head = "/" + parts.joined(separator: "/")
      if let real = realpath(head, nil) {
        defer { free(real) }
        text = ([String(cString: real)] + rest.reversed().map(String.init))
          .joined(separator: "/")
        return
      }
      guard let last = parts.popLast() else {
        text = path
        return
      }
      rest.append(last)
    }
  }
}
