import Glibc
import MoonTestSupport
import Testing

@testable import MoonFiles

struct ScriptDirectoryTests {
  typealias Problem = ScriptDirectory.Problem

  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder()
  }

  @Test func `a scan lists the scripts at any depth, sorted by bytes, and nothing else`() throws {
    for directory in ["b", "b/c", "Z", ".git", "x.lua"] { try folder.makeDirectory(directory) }
    for file in ["é.lua", "a.lua", "b/c/d.lua", "b/a.lua", "Z/a.lua", "x.lua/init.lua"] {
      try folder.save(file)
    }
    for file in ["readme.md", "a.lua~", "b/.a.lua", ".git/a.lua", "4913"] { try folder.save(file) }
    let listing = try folder.directory.scan()
    #expect(
      listing.entries.map(\.path)
        == ["Z/a.lua", "a.lua", "b/a.lua", "b/c/d.lua", "x.lua/init.lua", "é.lua"])
    #expect(listing.problems.isEmpty)
  }

  @Test func `an entry has the size, the time and the inode that stat tells`() throws {
    try folder.save("a.lua", "12345")
    var info = stat()
    try #require(stat(folder.path("a.lua"), &info) == 0)
    let entry = try #require(try folder.directory.scan().entries.first)
    #expect(entry.size == 5)
    #expect(entry.inode == UInt64(info.st_ino))
    #expect(
      entry.modificationTime
        == Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec))
  }

  @Test func `a root that is missing, or no directory, or not a path is an error`() throws {
    let missing = ScriptDirectory(root: folder.path("nowhere"))
    #expect(throws: FilesError.rootMissing(path: missing.root)) { try missing.scan() }
    #expect(throws: FilesError.rootMissing(path: missing.root)) { try missing.read("a.lua") }
    try folder.save("file")
    let file = ScriptDirectory(root: folder.path("file"))
    #expect(throws: FilesError.rootNotDirectory(path: file.root)) { try file.scan() }
    let cut = ScriptDirectory(root: folder.root + "\0/x")
    #expect(throws: FilesError.refusedPath(path: cut.root, fault: .nulByte)) { try cut.scan() }
  }

  @Test(arguments: [("/a//b/./c/", "/a/b/c"), ("/", "/"), ("//", "/")])
  func `a root's path is absolute and tidy`(given: String, tidy: String) {
    #expect(ScriptDirectory(root: given).root == tidy)
  }

  @Test func `a relative root is taken from the working directory`() throws {
    let buffer = try #require(getcwd(nil, 0))
    defer { free(buffer) }
    let here = String(cString: buffer)
    #expect(ScriptDirectory(root: "./scripts/").root == (here == "/" ? "" : here) + "/scripts")
    #expect(ScriptDirectory(root: ".").root == here)
  }

  @Test func `what can't be read or is no file is a problem with its reason`() throws {
    let limit = ScriptDirectory.fileSizeMax
    try folder.save("fits.lua", bytes: [UInt8](repeating: 32, count: limit))
    try folder.save("large.lua", bytes: [UInt8](repeating: 32, count: limit + 1))
    try folder.makeLink("dangling.lua", to: "nothing.lua")
    try folder.makeLink("self.lua", to: "self.lua")
    try folder.makeLink("dangling", to: "nothing")
    try #require(mkfifo(folder.path("fifo.lua"), 0o644) == 0)
    let listing = try folder.directory.scan()
    #expect(listing.entries.map(\.path) == ["fits.lua"])
    #expect(
      listing.problems == [
        Problem("dangling.lua", .danglingLink(target: "nothing.lua")),
        Problem("fifo.lua", .notRegularFile),
        Problem("large.lua", .tooLarge(size: limit + 1, limit: limit)),
        Problem("self.lua", .unreadable(SystemError(code: ELOOP))),
      ])
  }

  @Test func `without permission a file or a directory is a problem`() throws {
    try folder.save("secret.lua")
    try folder.makeDirectory("vault")
    try #require(chmod(folder.path("secret.lua"), 0) == 0)
    try #require(chmod(folder.path("vault"), 0) == 0)
    try folder.admitOthers()
    let denied = SystemError(code: EACCES)
    try asNobody {
      let listing = try folder.directory.scan()
      #expect(listing.entries.isEmpty)
      #expect(
        listing.problems == [
          Problem("secret.lua", .unreadable(denied)), Problem("vault", .unreadable(denied)),
        ])
      #expect(throws: FilesError.unreadable(path: "secret.lua", cause: denied)) {
        try folder.directory.read("secret.lua")
      }
      let vault = ScriptDirectory(root: folder.path("vault"))
      #expect(throws: FilesError.rootUnreadable(path: vault.root, cause: denied)) {
        try vault.scan()
      }
    }
  }

  @Test func `links are followed inside the root, and are problems when they leave it`() throws {
    try folder.makeDirectory("lib")
    try folder.save("lib/a.lua")
    try folder.save("../outside.lua")
    try folder.makeLink("alias", to: "lib")
    try folder.makeLink("b.lua", to: folder.path("lib/a.lua"))
    try folder.makeLink("out.lua", to: "../outside.lua")
    try folder.makeLink("up", to: "..")
    try folder.makeLink("notes", to: "../outside.lua")
    let listing = try folder.directory.scan()
    #expect(listing.entries.map(\.path) == ["alias/a.lua", "b.lua", "lib/a.lua"])
    #expect(
      listing.problems == [
        Problem("out.lua", .leavesRoot(target: folder.outside + "/outside.lua")),
        Problem("up", .leavesRoot(target: folder.outside)),
      ])
  }

  @Test func `links that lead in circles end as problems`() throws {
    try folder.makeDirectory("a")
    try folder.makeDirectory("b")
    try folder.save("a/x.lua")
    try folder.makeLink("a/b", to: "../b")
    try folder.makeLink("b/a", to: "../a")
    try folder.makeLink("home", to: ".")
    let listing = try folder.directory.scan()
    #expect(listing.entries.map(\.path) == ["a/x.lua", "b/a/x.lua"])
    #expect(
      listing.problems == [
        Problem("a/b/a", .linkLoop(target: folder.path("a"))),
        Problem("b/a/b", .linkLoop(target: folder.path("b"))),
        Problem("home", .linkLoop(target: folder.root)),
      ])
  }

  @Test func `a link into a directory with an equal name in other bytes leaves the root`() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    try folder.makeDirectory(composed)
    try folder.makeDirectory(decomposed)
    try folder.save(decomposed + "/secret.lua")
    try folder.makeLink(composed + "/x.lua", to: "../\(decomposed)/secret.lua")
    let directory = ScriptDirectory(root: folder.path(composed))
    #expect(try directory.scan().entries.isEmpty)
    let target = folder.path(decomposed) + "/secret.lua"
    #expect(throws: FilesError.leavesRoot(path: "x.lua", target: target)) {
      try directory.read("x.lua")
    }
  }

  @Test func `the root may itself be a link`() throws {
    try folder.save("a.lua", "1")
    try folder.makeLink("../current", to: "app")
    let directory = ScriptDirectory(root: folder.outside + "/current")
    #expect(try directory.scan().entries.map(\.path) == ["a.lua"])
    #expect(try directory.read("a.lua").bytes == Array("1".utf8))
  }

  @Test func `directories deeper than the limit are problems`() throws {
    let limit = ScriptDirectory.depthMax
    var path = "d"
    for _ in 0..<limit {
      try folder.makeDirectory(path)
      try folder.save(path + "/x.lua")
      path += "/d"
    }
    try folder.makeDirectory(path)
    try folder.save(path + "/x.lua")
    let listing = try folder.directory.scan()
    #expect(listing.entries.count == limit)
    #expect(listing.problems == [Problem(path, .tooDeep(limit: limit))])
  }

  @Test func `a listing with more files than the limit says what it left out`() throws {
    let limit = ScriptDirectory.fileCountMax
    try folder.save("00000.lua")
    for number in 1...limit {
      let digits = String(number + 100_000).dropFirst()
      try folder.makeHardLink("\(digits).lua", to: "00000.lua")
    }
    let listing = try folder.directory.scan()
    #expect(listing.entries.count == limit)
    #expect(listing.problems == [Problem("\(limit).lua", .tooManyFiles(limit: limit))])
  }

  @Test func `a folder with very many directories leaves room for the others`() throws {
    let left = ScriptDirectory.directoryCountMax - 1
    let limit = (left + 1) / 2
    try folder.save("data/b.lua")
    for number in 0...left { try folder.makeDirectory("data/e\(100_000 + number)") }
    try folder.save("shop/init.lua")
    try folder.save("z.lua")
    let listing = try folder.directory.scan()
    #expect(listing.entries.map(\.path) == ["data/b.lua", "shop/init.lua", "z.lua"])
    let first = "data/e\(100_000 + limit - 1)"
    #expect(listing.problems == [Problem(first, .tooManyDirectoriesInFolder(limit: limit))])
  }

  @Test func `a folder with very many files leaves room for the others`() throws {
    let limit = ScriptDirectory.fileCountMax / 2
    try folder.save("data/a100000.lua")
    for number in 1...limit {
      try folder.makeHardLink("data/a\(100_000 + number).lua", to: "data/a100000.lua")
    }
    try folder.save("shop/init.lua")
    let listing = try folder.directory.scan()
    #expect(listing.entries.count == limit + 1)
    #expect(listing.entries.last?.path == "shop/init.lua")
    let first = "data/a\(100_000 + limit).lua"
    #expect(listing.problems == [Problem(first, .tooManyFilesInFolder(limit: limit))])
  }

  @Test func `a name that is not UTF-8 is a problem`() throws {
    let name: [UInt8] = [0x61, 0xff] + Array(".lua".utf8)
    let path = Array(folder.root.utf8) + [UInt8(ascii: "/")] + name
    let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o644)
    try #require(descriptor >= 0)
    close(descriptor)
    #expect(try folder.directory.scan().problems == [Problem("a\u{fffd}.lua", .nameNotUTF8)])
  }

  @Test(arguments: [
    [], [0xef, 0xbb, 0xbf, 0x31], [0, 255, 10, 13], [UInt8](repeating: 7, count: 70_000),
  ])
  func `reading gives every byte of a file`(bytes: [UInt8]) throws {
    try folder.makeDirectory("lib")
    try folder.save("lib/a.lua", bytes: bytes)
    let source = try folder.directory.read("lib/a.lua")
    #expect(source.bytes == bytes)
    #expect(source.entry == (try folder.directory.scan().entries.first))
  }

  @Test(arguments: [
    ("", PathFault.empty), ("/etc/passwd", .absolute), ("../outside.lua", .parentComponent),
    ("lib/../../outside.lua", .parentComponent), ("lib/..", .parentComponent),
    ("a.lua\0.txt", .nulByte), ("./a.lua", .notNormalized), ("lib//a.lua", .notNormalized),
    ("lib/", .notNormalized), ("a/\u{301}/../b", .parentComponent),
  ])
  func `a path that could lead elsewhere is refused`(path: String, fault: PathFault) throws {
    try folder.save("../outside.lua")
    try folder.save("a.lua")
    #expect(throws: FilesError.refusedPath(path: path, fault: fault)) {
      try folder.directory.read(path)
    }
  }

  @Test func `reading what is not a file inside the root fails with its reason`() throws {
    let directory = folder.directory
    let limit = ScriptDirectory.fileSizeMax
    try folder.save("../outside.lua")
    try folder.save("a.lua")
    try folder.save("large.lua", bytes: [UInt8](repeating: 32, count: limit + 1))
    try folder.makeDirectory("x.lua")
    try folder.makeLink("out.lua", to: "../outside.lua")
    try folder.makeLink("up", to: "..")
    try folder.makeLink("self.lua", to: "self.lua")
    try #require(mkfifo(folder.path("fifo.lua"), 0o644) == 0)
    let target = folder.outside + "/outside.lua"
    let loop = SystemError(code: ELOOP)
    let expected: [(String, FilesError)] = [
      ("b.lua", .notFound(path: "b.lua")),
      ("a.lua/b.lua", .notFound(path: "a.lua/b.lua")),
      ("x.lua", .notRegularFile(path: "x.lua", kind: .directory)),
      ("fifo.lua", .notRegularFile(path: "fifo.lua", kind: .special)),
      ("large.lua", .tooLarge(path: "large.lua", size: limit + 1, limit: limit)),
      ("out.lua", .leavesRoot(path: "out.lua", target: target)),
      ("up/outside.lua", .leavesRoot(path: "up/outside.lua", target: target)),
      ("self.lua", .unreadable(path: "self.lua", cause: loop)),
    ]
    for (path, error) in expected {
      #expect(throws: error) { try directory.read(path) }
    }
  }

  @Test func `a file that vanishes between scan and read is not found`() throws {
    try folder.save("a.lua")
    let entry = try #require(try folder.directory.scan().entries.first)
    try folder.remove("a.lua")
    #expect(throws: FilesError.notFound(path: "a.lua")) { try folder.directory.read(entry.path) }
  }

  @Test func `an error number has the system's text`() {
    #expect(SystemError(code: EACCES).description == "Permission denied")
  }

  /// Runs the body with the file access rights of nobody, on this thread alone.
  private func asNobody(_ body: () throws -> Void) throws {
    typealias SetUser = @convention(c) (uid_t) -> Int32
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    let previous = setUser(65_534)
    defer { _ = setUser(uid_t(previous)) }
    try body()
  }
}

extension ScriptDirectory.Problem {
  fileprivate init(_ path: String, _ reason: Reason) {
    self.init(path: path, reason: reason)
  }
}
