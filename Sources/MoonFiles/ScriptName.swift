/// The rules for names in the script directory.
enum ScriptName {
  /// Returns whether a name is hidden or belongs to an editor or a version control system.
  ///
  /// Hidden names (among them Emacs' locks `.#x` and Kubernetes' `..data`), backups `x~`, Vim's
  /// swap files `x.swp` and its probe `4913`, Emacs' autosaves `#x#`, and `x.tmp`.
  static func isIgnored(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, let last = bytes.last else { return true }
    if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return true }
    if bytes.count > 1, first == UInt8(ascii: "#"), last == UInt8(ascii: "#") { return true }
    if bytes.elementsEqual("4913".utf8) || bytes.suffix(4).elementsEqual(".tmp".utf8) {
      return true
    }
    return bytes.count >= 4 && bytes.suffix(4).dropLast().elementsEqual(".sw".utf8)
  }

  /// Returns why a plain file of this name isn't a script, if people may take it for one.
  static func lookalikeReason(_ name: String) -> ScriptDirectory.Lookalike.Reason? {
    guard name.utf8.count > 4, name.suffix(4).lowercased() == ".lua" else { return nil }
    // Emacs' locks .#x.lua and macOS' companions ._x.lua aren't anyone's scripts.
    if name.hasPrefix(".") { return name.hasPrefix(".#") || name.hasPrefix("._") ? nil : .hidden }
    return isLua(name) || isIgnored(name) ? nil : .ending
  }

  static func isLua(_ name: String) -> Bool {
    name.utf8.suffix(4).elementsEqual(".lua".utf8)
  }

  static func join(_ directory: String, _ name: String) -> String {
    directory.isEmpty ? name : directory + "/" + name
  }

  /// Splits a relative path into the directory and the name in it; nil for an empty path.
  static func split(_ path: String) -> (directory: String, name: String)? {
    guard !path.isEmpty else { return nil }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }

  /// Returns the number of components of a relative path.
  static func depth(_ path: String) -> Int {
    path.isEmpty ? 0 : path.utf8.count { $0 == UInt8(ascii: "/") } + 1
  }

  /// Returns whether `path` is `directory` or below it; both are relative.
  static func isWithin(_ path: String, _ directory: String) -> Bool {
    directory.isEmpty || path.utf8.elementsEqual(directory.utf8)
      || path.utf8.starts(with: (directory + "/").utf8)
  }

  /// Returns whether a path precedes another in a listing: by bytes, the same on every machine.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
