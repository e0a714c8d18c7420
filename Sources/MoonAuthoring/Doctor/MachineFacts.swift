import CMoonArchive
import Glibc
import MoonServices
import Moonwire

/// What the program needs of a machine, as it is there.
package struct MachineFacts: Sendable {
  /// The maximum number of directories that a person can watch, and of programs that do; nil if the
  /// system doesn't say.
  package var watchCountMax: Int?
  package var watcherCountMax: Int?
  /// The maximum number of open files.
  package var descriptorCountMax: Int
  /// The variables of the environment.
  package var environment: [String: String]
  /// The width of the terminal; nil if standard output isn't one.
  package var columns: Int?
  /// The libraries, and the programs and libraries that only some commands need.
  package var versions: [(name: String, version: String)]
  package var hasGit: Bool
  package var hasArchiveLibrary: Bool
  /// The directories for sockets, for data and for temporary files.
  package var sockets: Directory
  package var data: Directory?
  package var temporary: Directory

  /// A directory, or the one above it in which it would be made.
  package struct Directory: Sendable {
    package var path: String
    /// Whether files can be made there.
    package var isWritable: Bool
    /// Whether others can put files there.
    package var isOpenToOthers = false
    package var freeByteCount: Int
  }

  /// Asks the system; `data` is nil without a place for data, and `columns` without a terminal.
  package init(
    _ environment: [String: String], sockets: String, data: String?, columns: Int? = nil
  ) {
    self.environment = environment
    watchCountMax = Self.number("/proc/sys/fs/inotify/max_user_watches")
    watcherCountMax = Self.number("/proc/sys/fs/inotify/max_user_instances")
    var limit = rlimit()
    descriptorCountMax =
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
      ? Int(clamping: limit.rlim_cur) : .max
    self.columns = columns
    versions = SystemLibrary.all.map { ($0.name, $0.version) }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    hasGit = folders.contains { access("\($0)/git", X_OK) == 0 }
    hasArchiveLibrary = marchive_is_there() == 1
    self.sockets = Directory(sockets)
    self.data = data.map { Directory($0) }
    temporary = Directory(environment["TMPDIR"] ?? "/tmp")
  }

  private static func number(_ path: String) -> Int? {
    guard let bytes = try? WholeFile.bytes(of: path, upTo: 100) else { return nil }
    return Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

extension MachineFacts.Directory {
  fileprivate init(_ path: String) {
    self.path = path
    var existing = ScriptDirectory(root: path).root
    while access(existing, F_OK) != 0, let slash = existing.lastIndex(of: "/"), existing != "/" {
      existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
    }
    isWritable = access(existing, W_OK | X_OK) == 0
    var status = stat()
    isOpenToOthers =
      stat(path, &status) == 0
      && (status.st_uid != geteuid() || status.st_mode & 0o077 != 0)
    var space = statvfs()
    let isKnown = statvfs(existing, &space) == 0
    let (count, isOver) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    freeByteCount = !isKnown || isOver ? .max : Int(clamping: count)
  }
}
