import CMoonArchive
import Glibc
import MoonServices
import Moonwire

/// The files of a folder or an archive, in memory, before any of them is used.
struct SourceTree: Sendable {
  /// The maximum number of entries of an archive or a folder.
  static let entryCountMax = 10_000
  /// The maximum number of bytes of all files.
  static let byteCountMax = 64 << 20
  private static let blockByteCount = 1 << 16

  /// The contents by path.
  private(set) var files: [String: [UInt8]] = [:]
  /// The links and devices, which are left out.
  private(set) var leftOut: [String] = []
  private var entryCount = 0
  private var byteCount = 0
  /// The archive or folder, for errors.
  private let origin: String

  init(of origin: String) { self.origin = origin }

  // MARK: Folders

  /// Adds the files of a folder, except for hidden ones; `prefix` comes before their paths.
  mutating func add(folder: String, as prefix: String) throws(PackagesError) {
    try add(folder, "", as: prefix, depth: 0)
  }

  private mutating func add(
    _ folder: String, _ below: String, as prefix: String, depth: Int
  ) throws(PackagesError) {
    guard depth <= ScriptDirectory.depthMax else { throw .tooDeep(folder) }
    let place = below.isEmpty ? folder : "\(folder)/\(below)"
    let names: [String]
    do throws(SystemError) {
      names = try DirectoryNames.all(in: place)
    } catch {
      throw .unreadable(place, error)
    }
    for name in names {
      let path = below.isEmpty ? name : "\(below)/\(name)"
      var status = stat()
      guard lstat("\(folder)/\(path)", &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try add(folder, path, as: prefix, depth: depth + 1)
      case S_IFREG: try add(file: "\(folder)/\(path)", as: prefix + path)
      default: try countEntry { $0.leftOut.append(prefix + path) }
      }
    }
  }

  /// Adds a file.
  mutating func add(file: String, as path: String) throws(PackagesError) {
    try countEntry { _ in }
    // The lock takes no other names, so the module could never be removed again.
    guard Self.isInside(path) else { throw .unfitName(file) }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.bytes(of: file, upTo: Self.byteCountMax - byteCount)
    } catch {
      throw error.code == EFBIG ? .tooLarge(origin) : .unreadable(file, error)
    }
    byteCount += bytes.count
    files[path] = bytes
  }

  private mutating func countEntry(_ body: (inout Self) -> Void) throws(PackagesError) {
    entryCount += 1
    guard entryCount <= Self.entryCountMax else { throw .tooMany(origin) }
    body(&self)
  }

  // MARK: Archives

  /// Adds the files of an archive, except for hidden ones.
  ///
  /// Nothing is written to the disk, and an entry that leaves the archive's folder is an error.
  mutating func add(archive path: String) throws(PackagesError) {
    guard marchive_is_there() == 1 else { throw .noArchiveLibrary }
    guard let archive = marchive_open(path) else { throw .archive(path, "there is no memory") }
    defer { marchive_close(archive) }
    var block = [UInt8](repeating: 0, count: Self.blockByteCount)
    while true {
      var name: UnsafePointer<CChar>?
      let kind = marchive_next(archive, &name)
      if kind == CInt(MARCHIVE_END) { return }
      guard kind > 0 else { throw .archive(path, String(cString: marchive_error(archive))) }
      var entry = name.map { String(cString: $0) } ?? ""
      while entry.hasPrefix("./") { entry.removeFirst(2) }
      if kind == CInt(MARCHIVE_FOLDER), entry.hasSuffix("/") { entry.removeLast() }
      try countEntry { _ in }
      if entry.isEmpty || entry == ".", kind == CInt(MARCHIVE_FOLDER) { continue }
      guard Self.isInside(entry) else { throw .leavesArchive(path, entry) }
      guard !Self.isHidden(entry), kind != CInt(MARCHIVE_FOLDER) else { continue }
      guard kind == CInt(MARCHIVE_FILE) else {
        leftOut.append(entry)
        continue
      }
      var bytes: [UInt8] = []
      while true {
        let count = marchive_read(archive, &block, block.count)
        if count == 0 { break }
        guard count > 0 else { throw .archive(path, String(cString: marchive_error(archive))) }
        byteCount += count
        guard byteCount <= Self.byteCountMax else { throw .tooLarge(path) }
        bytes += block[..<count]
      }
      files[entry] = bytes
    }
  }

  /// Returns whether a path stays in the folder in which it begins, has one spelling only, and has
  /// no control characters.
  static func isInside(_ path: String) -> Bool {
    !path.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !["", ".", ".."].contains($0)
      }
  }

  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
  }

  // MARK: Folders in an archive

  /// Takes the files out of the only folder that an archive has, unless that is a module's own;
  /// returns the folder's name.
  mutating func enterOnlyFolder() -> String? {
    let tops = Set(files.keys.map { $0.split(separator: "/").first ?? "" })
    guard let top = tops.first, tops.count == 1, files[String(top)] == nil else { return nil }
    let isModule = files["\(top)/init.lua"] != nil && ModuleName(String(top)) != nil
    guard !isModule else { return nil }
    files = Dictionary(
      uniqueKeysWithValues: files.map { (String($0.key.dropFirst(top.count + 1)), $0.value) })
    leftOut = leftOut.map { String($0.dropFirst(top.count + 1)) }
    return String(top)
  }

  /// Gives a module another name: its script or folder, and its tests.
  mutating func rename(_ module: ModuleName, to name: ModuleName) {
    guard name != module else { return }
    let folder = "\(module)/"
    func renamed(_ path: String) -> String {
      switch path {
      case "\(module).lua": "\(name).lua"
      case "tests/\(module).lua": "tests/\(name).lua"
      default: path.hasPrefix(folder) ? "\(name)/\(path.dropFirst(folder.count))" : path
      }
    }
    files = Dictionary(files.map { (renamed($0.key), $0.value) }) { first, _ in first }
    leftOut = leftOut.map(renamed)
  }

  /// Puts all files into a folder.
  mutating func move(into folder: String) {
    files = Dictionary(uniqueKeysWithValues: files.map { ("\(folder)/\($0.key)", $0.value) })
    leftOut = leftOut.map { "\(folder)/\($0)" }
  }
}
