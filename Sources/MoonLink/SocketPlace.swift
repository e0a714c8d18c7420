import Glibc
import MoonFiles
import Moonwire

/// Where the socket of a host is.
package struct SocketPlace: Sendable, Equatable {
  /// The path of the socket.
  package let path: String
  /// Whether the path follows from the directory, in the folder of all sockets.
  let isStandard: Bool

  /// The place that a person has named.
  package init(path: String) { (self.path, isStandard) = (path, false) }

  /// The place of the host that serves a script directory.
  ///
  /// Its name ends with a number that follows from the whole path of the directory.
  package init(of directory: String, _ environment: [String: String]) {
    let resolved = Self.wholePath(of: directory)
    let name = resolved.split(separator: "/").last.map(String.init) ?? ""
    let word = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(24)
    path = "\(Self.folder(environment))/\(word)-\(ContentHash.mark(of: resolved)).sock"
    isStandard = true
  }

  /// The absolute path of a directory without links; the path itself if there is no directory.
  package static func wholePath(of directory: String) -> String {
    guard let resolved = realpath(directory, nil) else { return directory }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder of the sockets of a person's hosts.
  package static func folder(_ environment: [String: String]) -> String {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      return runtime + "/moonwire"
    }
    return "/tmp/moonwire-\(geteuid())"
  }

  /// The places of the sockets in the folder, running or not.
  package static func all(_ environment: [String: String]) -> [SocketPlace] {
    let folder = folder(environment)
    guard (try? check(folder)) != nil, let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".sock") { names.append(name) }
    }
    return names.sorted().map { SocketPlace(path: "\(folder)/\($0)") }
  }

  /// Makes the folder if it is missing.
  ///
  /// - Throws: ``LinkError/foreignFolder(_:)`` or ``LinkError/system(_:code:)``
  func prepareFolder() throws(LinkError) {
    guard isStandard, let slash = path.lastIndex(of: "/") else { return }
    let folder = String(path[..<slash])
    do throws(SystemError) {
      try PrivateFile.makeDirectory(folder)
    } catch {
      throw .system(folder, code: error.code)
    }
    try Self.check(folder)
  }

  /// Checks that only this user can put a socket into a folder.
  private static func check(_ folder: String) throws(LinkError) {
    var status = stat()
    guard lstat(folder, &status) == 0 else { throw .system(folder, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { throw .foreignFolder(folder) }
  }
}
