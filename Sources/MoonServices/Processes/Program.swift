import Glibc
import MoonFiles
import Moonwire

/// A program for a script to run, found on the disk.
struct Program {
  /// The name or path as the script passed it.
  let name: String
  /// The absolute path.
  let path: String

  /// Finds a program and checks that the module may run it.
  ///
  /// A name without a slash is looked up in the host's own `PATH`, so a script's environment can't
  /// change its meaning. A path is granted as an absolute one. A denial of what the program is also
  /// called refuses it: its path, with and without links, and the name at the end of each.
  ///
  /// - Throws: ``ProcessFailure``, ``FileFailure`` or ``GrantRefusal``.
  init(_ name: String, _ call: ServiceCall) throws {
    self.name = name
    if name.utf8.contains(UInt8(ascii: "/")) {
      path = try GivenPath(name, call.surroundings).absolute
      try call.require(.program(path))
      try Self.check(path, name)
    } else {
      try call.require(.program(name))
      path = try Self.find(name)
    }
    let real = ResolvedPath(path).text
    let spellings = [path, real].flatMap { [$0, String($0.split(separator: "/").last ?? "")] }
    try call.requireNotDenied(spellings.map(Scope.program))
  }

  private static func find(_ name: String) throws(ProcessFailure) -> String {
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    var failure = ProcessFailure.notFound(name)
    for directory in search.split(separator: ":") where directory.hasPrefix("/") {
      let path = directory + "/" + name
      do {
        try check(path, name)
        return path
      } catch .notExecutable {
        failure = .notExecutable(name)
      } catch {
        continue
      }
    }
    throw failure
  }

  private static func check(_ path: String, _ name: String) throws(ProcessFailure) {
    var info = stat()
    guard stat(path, &info) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .notFound(name) : .notExecutable(name)
    }
    guard info.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
      throw .notExecutable(name)
    }
  }
}
