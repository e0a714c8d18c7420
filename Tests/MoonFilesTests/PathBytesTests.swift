import Testing

@testable import MoonFiles

struct PathBytesTests {
  @Test(arguments: [
    ("/a", "/a", true), ("/a", "/a/b", true), ("/", "/a", true), ("/", "/", true),
    ("/a", "/ab", false), ("/a/b", "/a", false), ("/a", "/", false),
    ("/caf\u{e9}", "/cafe\u{301}/x", false), ("/a", "/a/\u{301}b", true),
  ])
  func `a path contains what is below it, by bytes`(outer: String, inner: String, isIn: Bool) {
    #expect(PathBytes(outer).contains(PathBytes(inner)) == isIn)
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("/", "/")])
  func `the parent of a path is one component shorter`(path: String, parent: String) {
    #expect(PathBytes(path).parent == PathBytes(parent))
  }

  @Test(arguments: [("/a", "b/c", "/a/b/c"), ("/", "b", "/b"), ("/a", "", "/a")])
  func `appending puts one slash between`(path: String, name: String, joined: String) {
    #expect(PathBytes(path).appending(name) == PathBytes(joined))
  }
}
