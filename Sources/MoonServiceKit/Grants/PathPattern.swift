/// The directories that paths in scopes are relative to, and where links in paths lead.
package struct ScopeDirectories: Sendable {
  /// The script directory, for relative paths; nil without one.
  package var scripts: String?
  /// The person's home, for paths that begin with `~/`.
  package var home: String?
  /// Returns an absolute path without symbolic links, as far as it exists; nil if links aren't
  /// followed.
  private let follow: (@Sendable (String) -> String)?

  /// Makes directories; `follow` returns an absolute path without symbolic links, as far as it
  /// exists.
  ///
  /// Without it, paths are compared as they are written.
  package init(
    scripts: String? = nil, home: String? = nil,
    following follow: (@Sendable (String) -> String)? = nil
  ) {
    self.scripts = scripts
    self.home = home
    self.follow = follow
  }

  /// The same directories, for paths whose links aren't followed.
  var withoutLinks: ScopeDirectories { ScopeDirectories(scripts: scripts, home: home) }

  /// No real directories, to compare paths as they are written.
  static let unknown = ScopeDirectories(scripts: "/\u{0}scripts", home: "/\u{0}home")

  /// Returns where a path leads.
  func destination(of path: String) -> String { follow?(path) ?? path }
}

extension ScopeDirectories: Equatable {
  /// Compares the directories, and whether links are followed.
  package static func == (left: Self, right: Self) -> Bool {
    left.scripts == right.scripts && left.home == right.home
      && (left.follow == nil) == (right.follow == nil)
  }
}

/// The files of a scope `read:` or `write:`: a directory with everything below it, or one file.
///
/// `data/` is in the script directory, `~/notes/` in the person's home; `/var/log/` is absolute and
/// `*` means all files.
package struct PathPattern: Equatable, Sendable {
  /// The names, as bytes: Swift compares strings by canonical equivalence, under which two
  /// different directories would be equal.
  private let components: [[UInt8]]
  /// Whether it matches all files.
  private let isAll: Bool

  /// Returns whether a text can be a path in a scope: without `..`, so that it can't lead up.
  static func isPath(_ text: String) -> Bool {
    text == "*"
      || !text.split(separator: "/").contains("..") && !text.contains("\0") && !text.contains("*")
  }

  /// Makes the pattern for a text; nil if the directory that it is relative to isn't known.
  ///
  /// Symbolic links in the existing part of the path are followed if the directories say how.
  init?(_ text: String, in directories: ScopeDirectories) {
    isAll = text == "*"
    guard !isAll else {
      components = []
      return
    }
    guard let (start, rest) = Self.parts(of: text, in: directories) else { return nil }
    let path = start + "/" + rest
    components = Self.names(of: directories.destination(of: path))
  }

  /// The directory that a path is relative to, and the rest of it; nil if that isn't known.
  private static func parts(
    of text: String, in directories: ScopeDirectories
  ) -> (start: String, rest: Substring)? {
    if text == "~" || text.hasPrefix("~/") {
      return directories.home.map { ($0, text.dropFirst(2)) }
    }
    return text.hasPrefix("/") ? ("", text[...]) : directories.scripts.map { ($0, text[...]) }
  }

  private static func names(of path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != Array(".".utf8) }
  }

  /// Returns where a path leads, if a symbolic link below the directory that it is relative to
  /// leads elsewhere; else nil.
  static func destination(of text: String, in directories: ScopeDirectories) -> String? {
    guard text != "*", let (start, rest) = parts(of: text, in: directories) else { return nil }
    let place = names(of: directories.destination(of: start + "/" + rest))
    guard place != names(of: directories.destination(of: start) + "/" + rest) else { return nil }
    return place.reduce(into: "") { $0 += "/" + String(decoding: $1, as: UTF8.self) }
  }

  /// Returns whether everything that another pattern matches is below this one.
  func covers(_ other: PathPattern) -> Bool {
    isAll || (!other.isAll && other.components.starts(with: components))
  }

  /// Returns whether anything is below both.
  func overlaps(_ other: PathPattern) -> Bool { covers(other) || other.covers(self) }
}
