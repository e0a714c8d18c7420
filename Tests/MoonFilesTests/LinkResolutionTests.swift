import MoonTestSupport
import Testing

@testable import MoonFiles

struct LinkResolutionTests {
  private let folder: ScriptFolder
  private let root: PathBytes

  init() throws {
    folder = try ScriptFolder()
    root = try PathBytes(resolving: PathBytes(folder.root))
    for directory in ["a", "a/b", "c"] { try folder.makeDirectory(directory) }
    try folder.save("c/x.lua")
  }

  @Test(arguments: [
    ("c/x.lua", ["c", "c/x.lua"]), ("./c//x.lua", ["c", "c/x.lua"]),
    ("a/b/../../c", ["a", "a/b", "c"]), ("a/gone/c", ["a", "a/gone"]),
    ("c/x.lua/..", ["c", "c/x.lua"]),
    ("", []),
  ])
  func `each name is looked up in the directory that the ones before lead to`(
    target: String, expected: [String]
  ) throws {
    try folder.makeLink("link", to: target.isEmpty ? "." : target)
    #expect(lookups(of: "link") == expected)
  }

  @Test func `links on the way are followed, to the root of the system and from where they lie`()
    throws
  {
    try folder.makeLink("a/up", to: "../c")
    try folder.makeLink("link", to: "a/up/x.lua")
    #expect(lookups(of: "link") == ["a", "a/up", "c", "c/x.lua"])
    try folder.makeLink("absolute", to: root.appending("c").text)
    let ways = lookups(of: "absolute")
    #expect(ways.last == "c")
    #expect(ways.first?.hasPrefix("/") == true)
  }

  @Test func `a link to itself has a way of limited length`() throws {
    try folder.makeLink("link", to: "link")
    #expect(lookups(of: "link").count == LinkResolution.lengthMax)
  }

  @Test func `what is no link has no way`() {
    #expect(LinkResolution(of: root.appending("c")) == nil)
    #expect(LinkResolution(of: root.appending("gone")) == nil)
  }

  /// Returns the paths of the names looked up, relative to the root where they are inside it.
  private func lookups(of link: String) -> [String] {
    guard var way = LinkResolution(of: root.appending(link)) else { return [] }
    var paths: [String] = []
    while let step = way.step {
      let path = step.directory.appending(step.name).text
      paths.append(
        path.hasPrefix(root.text + "/") ? String(path.dropFirst(root.text.count + 1)) : path)
      way.look()
    }
    return paths
  }
}
