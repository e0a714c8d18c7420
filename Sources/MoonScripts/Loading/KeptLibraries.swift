import MoonLua

/// The libraries that a module requires after it was loaded, inside one of its functions.
///
/// Such a function may be a reducer, which must not depend on later contents of the directory. So
/// the libraries that a module's files name literally are kept when the module is loaded. No others
/// are found later.
extension ModuleLoader {
  /// The maximum number of library names followed for one module.
  static let keptNamesMax = 1000

  /// Keeps the libraries that `files` name, those that these libraries name, and so on.
  func keepNamedLibraries(_ files: LoadedFiles) {
    var seen: Set<String> = []
    var scanned: Set<String> = []
    while true {
      let fresh = files.sources.filter { !scanned.contains($0.key) }.sorted { $0.key < $1.key }
      guard !fresh.isEmpty else { return }
      for (path, source) in fresh {
        scanned.insert(path)
        for name in Self.namesRequired(in: source.bytes) {
          let name = Self.fullName(name, in: path)
          guard seen.insert(name).inserted else { continue }
          guard seen.count <= Self.keptNamesMax else { return }
          keep(name, files)
        }
      }
    }
  }

  /// Returns the full name of a library whose name in a file begins with a dot.
  ///
  /// It is `shop.util` for `.util` in a file of the folder `shop`. CMoonLua does the same when the
  /// file runs.
  private static func fullName(_ name: String, in path: String) -> String {
    guard name.hasPrefix("."), let end = path.lastIndex(of: "/") else { return name }
    return path[..<end].replacing("/", with: ".") + name
  }

  private func keep(_ name: String, _ files: LoadedFiles) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.first != "moonwire",
      !Self.candidates(for: parts).contains(where: { files.sources[$0] != nil })
    else { return }
    // A library that doesn't exist is noted as missing, and is an error when it is required.
    _ = try? find(name, files)
  }

  /// Finds a library after the load is over, among its files.
  func findKept(_ name: String, in files: LoadedFiles) throws(HostRefusal) -> Services.Library {
    do throws(HostRefusal) {
      return try find(name, LoadedFiles(from: FileContents(of: files)))
    } catch {
      throw .refused(
        """
        require: '\(name)' wasn't loaded with the module; later only libraries are found that its \
        files name, as in require "lib.text"
        """)
    }
  }

  /// Returns the names in `require "a.b"`, `require 'a.b'` and `require("a.b")`.
  ///
  /// The bytes are searched rather than parsed. A name in a comment is found as well, which is
  /// harmless.
  ///
  /// - Complexity: O(bytes).
  static func namesRequired(in bytes: [UInt8]) -> [String] {
    bytes.withUnsafeBytes { text in
      var names: [String] = []
      var rest = text[...]
      // The rarest letter of the word.
      while let letter = rest.firstIndex(of: UInt8(ascii: "q")) {
        rest = text[(letter + 1)...]
        guard letter >= 2, text[(letter - 2)...].starts(with: "require".utf8) else { continue }
        if let name = quoted(text[(letter + 5)...]) { names.append(name) }
      }
      return names
    }
  }

  /// Returns the name in quotes at the start of a text, after an optional parenthesis.
  private static func quoted(_ text: Swift.Slice<UnsafeRawBufferPointer>) -> String? {
    let space = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = text.drop(while: space)
    if rest.first == UInt8(ascii: "(") { rest = rest.dropFirst().drop(while: space) }
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = rest.prefix(nameBytesMax + 1).firstIndex(of: quote)
    else { return nil }
    return String(validating: rest[..<end], as: UTF8.self)
  }

  /// The longest name of a library; CMoonLua refuses longer ones.
  private static let nameBytesMax = 256
}
