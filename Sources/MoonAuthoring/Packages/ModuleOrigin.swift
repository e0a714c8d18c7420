import Glibc
import Moonwire

/// Where a module comes from: a path, or a Git repository and a revision in it.
package struct ModuleOrigin: Sendable, Equatable {
  /// What a text means.
  enum Place: Sendable, Equatable {
    /// A folder, a script or an archive.
    case path(String)
    case repository(String)
  }

  let place: Place
  /// The branch, tag or commit of a repository; nil for its standard branch, and for a path.
  let revision: String?

  /// Reads what a person has typed: `../cart`, `cart.tar.gz`, `https://example.org/cart.git@v2`.
  package init(_ text: String) {
    guard let start = Self.repositoryStart(of: text) else {
      (place, revision) = (.path(text), nil)
      return
    }
    let path = text[start...]
    // An address may have a user before an at sign, too.
    let beginning = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let sign = path[beginning...].lastIndex(of: "@") else {
      (place, revision) = (.repository(text), nil)
      return
    }
    place = .repository(String(text[..<sign]))
    revision = String(text[path.index(after: sign)...])
  }

  /// Reads what the lock file has.
  init(_ text: String, revision: String?, in directory: String) {
    if Self.repositoryStart(of: text) != nil {
      place = .repository(text)
    } else {
      // A path in the lock file begins in its directory.
      place = .path(text.hasPrefix("/") ? text : "\(directory)/\(text)")
    }
    self.revision = revision
  }

  /// The text for the lock file of a directory.
  func text(in directory: String) -> String {
    switch place {
    case .repository(let url): url
    case .path(let path):
      path.hasPrefix("/") ? path : Self.relative(ScriptDirectory(root: path).root, to: directory)
    }
  }

  /// Returns where the path of a repository begins in a text; nil if the text isn't an address.
  private static func repositoryStart(of text: String) -> String.Index? {
    if let scheme = text.firstRange(of: "://") { return scheme.upperBound }
    // As for ssh: git@example.org:cart.git
    guard let colon = text.firstIndex(of: ":"), let sign = text.firstIndex(of: "@"),
      sign < colon, !text[..<colon].contains("/")
    else { return nil }
    return text.index(after: colon)
  }

  /// Returns an absolute path from a directory.
  private static func relative(_ path: String, to directory: String) -> String {
    let target = ResolvedPath(path).text.split(separator: "/")
    let base = ResolvedPath(ScriptDirectory(root: directory).root).text.split(separator: "/")
    let count = zip(target, base).prefix { $0 == $1 }.count
    let parts =
      Array(repeating: "..", count: base.count - count) + target[count...].map(String.init)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The name that a module without a folder of its own has from its origin: `cart` of
  /// `https://example.org/cart.git`.
  var name: String {
    let path =
      switch place {
      case .path(let path): ScriptDirectory(root: path).root
      case .repository(let url): url
      }
    var name = path.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    let endings = [".git", ".lua", ".gz", ".bz2", ".xz", ".zst", ".tgz", ".tar", ".zip"]
    while let ending = endings.first(where: { name.hasSuffix($0) && name.count > $0.count }) {
      name.removeLast(ending.count)
    }
    return name
  }
}
