import Glibc
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonServices

/// The path from a text to an open file, without Lua.
struct GrantedFilesTests {
  /// Returns the files of a module that may read and write `data/` in a script directory.
  static func files(_ scripts: String?) throws -> GrantedFiles {
    let needs = [try Scope(parsing: "read:data/"), try Scope(parsing: "write:data/")]
    var grants = Grants()
    grants.allowed = needs.map { Grants.Rule($0) }
    grants.directories = ScopeDirectories(
      scripts: scripts, following: { ResolvedPath($0).text })
    var surroundings = ServiceSurroundings()
    surroundings.scriptDirectory = scripts
    return GrantedFiles(
      ServiceCall(
        function: "files.read", module: ModuleName("m"),
        session: SessionID(number: 0), time: 0, Permissions(needs: needs, grants),
        surroundings))
  }

  @Test func `without a script directory, paths must be absolute`() throws {
    let surroundings = ServiceSurroundings()
    #expect(throws: FileFailure.badPath("data/x", .noScriptDirectory)) {
      try GivenPath("data/x", surroundings)
    }
    #expect(try GivenPath("//var/./log/", surroundings).absolute == "/var/log")
  }

  @Test func `a link made after the file was opened isn't followed`() throws {
    let folder = try ScriptFolder(["data/a": "inside", "secret": "secret"])
    let files = try Self.files(folder.root)
    let file = try files.open(try files.path("data/a"), for: .read)
    try folder.rename("data/a", "data/b")
    try folder.makeLink("data/a", to: "../secret")
    let bytes = try file.reopened(O_RDONLY).read(max: 100)
    #expect(String(decoding: bytes, as: UTF8.self) == "inside")
  }

  /// A file in two directories, a directory like them outside, and which of the two becomes a link.
  private static func nested() throws -> ScriptFolder {
    try ScriptFolder(["data/c/d/x": "inside", "other/d/x": "outside"])
  }

  private static func replaceByLink(_ directory: String, in folder: ScriptFolder) throws {
    try folder.rename(directory, "moved")
    try folder.makeLink(directory, to: directory == "data/c" ? "../other" : "../../other/d")
  }

  @Test(arguments: ["data/c", "data/c/d"])
  func `a directory replaced by a link after it was opened isn't left`(
    directory: String
  ) throws {
    let folder = try Self.nested()
    let files = try Self.files(folder.root)
    let entry = try files.openDirectory(of: try files.path("data/c/d/x"), for: .write)
    try Self.replaceByLink(directory, in: folder)
    try entry.directory.unlink(entry.name)
    #expect(TextFile.contents(of: folder.path("other/d/x")) == "outside")
    #expect(TextFile.names(in: folder.path(directory == "data/c" ? "moved/d" : "moved")) == [])
  }

  @Test(arguments: ["data/c", "data/c/d"])
  func `the directory of an open file isn't found through a link made meanwhile`(
    directory: String
  ) throws {
    let folder = try Self.nested()
    let files = try Self.files(folder.root)
    let file = try files.open(try files.path("data/c/d/x"), for: .write)
    try Self.replaceByLink(directory, in: folder)
    do {
      if let entry = try file.entry() { Issue.record("\(entry.directoryPlace) was opened") }
    } catch {
      #expect(error is FileFailure)
    }
  }

  @Test(arguments: 0..<40)
  func `random trees with links are resolved as the manual says`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try ScriptFolder()
    let root = try #require(realpath(folder.root, nil).map { String(cString: $0) })
    var model = TreeModel(root: root)
    try model.fill(folder, &random)
    let files = try Self.files(folder.root)
    for _ in 0..<150 {
      let text = "data/" + TreeModel.relativePath(&random, leadsUp: false)
      let path = try files.path(text)
      // A path of a script may have '.' after the name of a file.
      let names = text.split(separator: "/").filter { $0 != "." }
      let expected = model.place(of: root + "/" + names.joined(separator: "/"))
      let isGranted = expected == root + "/data" || expected?.hasPrefix(root + "/data/") == true
      let place: String?
      do {
        place = try files.open(path, for: .read).place
      } catch let error where error is FileFailure || error is GrantRefusal {
        place = nil
      }
      #expect(place == (isGranted ? expected : nil), "seed \(seed): \(text)\n\(model)")
    }
  }
}

/// A small tree of files, directories and links, and the slow way of finding where a path leads:
/// path_resolution(7), one name at a time.
private struct TreeModel: CustomStringConvertible {
  enum Node {
    case file, directory
    case link(String)
  }

  /// The number of links that the system follows in one path.
  static let linkCountMax = 40
  static let names = ["a", "b", "c", "data"]

  let root: String
  private var nodes: [String: Node] = [:]

  init(root: String) {
    self.root = root
    var path = ""
    for name in root.split(separator: "/") {
      path += "/" + name
      nodes[path] = .directory
    }
    nodes["/"] = .directory
  }

  /// Makes random files in the folder and here.
  mutating func fill(_ folder: ScriptFolder, _ random: inout SplitMix64) throws {
    try folder.makeDirectory("data")
    nodes[root + "/data"] = .directory
    for _ in 0..<30 {
      let directories = nodes.filter { path, node in
        if case .directory = node { path.hasPrefix(root) } else { false }
      }
      let parent = random.pick(directories.keys.sorted())
      let path = parent + "/" + random.pick(Self.names)
      guard nodes[path] == nil else { continue }
      let relative = String(path.dropFirst(root.count + 1))
      switch random.below(4) {
      case 0:
        try folder.save(relative, "")
        nodes[path] = .file
      case 1:
        try folder.makeDirectory(relative)
        nodes[path] = .directory
      default:
        let target =
          random.once(in: 3)
          ? root + "/" + Self.relativePath(&random) : Self.relativePath(&random)
        try folder.makeLink(relative, to: target)
        nodes[path] = .link(target)
      }
    }
  }

  static func relativePath(_ random: inout SplitMix64, leadsUp: Bool = true) -> String {
    (0...random.below(4)).map { _ in
      leadsUp && random.once(in: 4) ? ".." : random.once(in: 10) ? "." : random.pick(names)
    }.joined(separator: "/")
  }

  /// Returns the path without links of where a path leads; nil if it leads nowhere.
  func place(of path: String) -> String? {
    var reached: [Substring] = []
    var rest = Array(path.split(separator: "/").reversed())
    var linkCount = 0
    while let name = rest.popLast() {
      guard case .directory? = nodes[Self.path(reached)] else { return nil }
      if name == "." { continue }
      if name == ".." {
        _ = reached.popLast()
        continue
      }
      switch nodes[Self.path(reached + [name])] {
      case nil: return nil
      case .link(let target):
        linkCount += 1
        guard linkCount <= Self.linkCountMax else { return nil }
        if target.hasPrefix("/") { reached = [] }
        rest += target.split(separator: "/").reversed()
      case .file, .directory: reached.append(name)
      }
    }
    return Self.path(reached)
  }

  private static func path(_ names: [Substring]) -> String { "/" + names.joined(separator: "/") }

  var description: String {
    nodes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }
}
