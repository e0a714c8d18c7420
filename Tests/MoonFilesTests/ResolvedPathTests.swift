import Glibc
import MoonTestSupport
import Testing

@testable import MoonFiles

/// Where absolute paths lead.
struct ResolvedPathTests {
  @Test(arguments: [
    ("", ""), ("/d", "/d"), ("/d/./a/", "/d/a"), ("/d/none/x", "/d/none/x"),
    ("/to_d", "/d"), ("/to_d/a", "/d/a"), ("/to_d/none/x", "/d/none/x"), ("/to_a/x", "/d/a/x"),
    // What isn't there leads nowhere, and what follows it is left as it is.
    ("/broken", "/broken"), ("/broken/x", "/broken/x"), ("/loop/x", "/loop/x"),
    ("/d/../d/a", "/d/a"), ("/none/../x", "/none/../x"),
  ])
  func `links are followed as far as the path exists`(path: String, place: String) throws {
    let folder = try TemporaryFolder()
    let real = try #require(realpath(folder.path, nil).map { String(cString: $0) })
    #expect(mkdir("\(real)/d", 0o700) == 0)
    #expect(mkdir("\(real)/d/a", 0o700) == 0)
    #expect(symlink("d", "\(real)/to_d") == 0)
    #expect(symlink("\(real)/d/a", "\(real)/to_a") == 0)
    #expect(symlink("nowhere", "\(real)/broken") == 0)
    #expect(symlink("loop", "\(real)/loop") == 0)
    #expect(ResolvedPath(real + path).text == real + place)
  }

  @Test(arguments: [("/", "/"), ("//", "/"), ("", "/"), ("/\u{1}/none", "//\u{1}/none")])
  func `the root leads to itself`(path: String, place: String) {
    #expect(ResolvedPath(path).text == place)
  }
}
