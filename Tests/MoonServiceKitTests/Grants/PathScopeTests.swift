import MoonServiceKit
import Testing

/// Scopes `read:` and `write:`, whose paths lead where the host says.
struct PathScopeTests {
  private static func scope(_ text: String) throws -> Scope { try Scope(parsing: text) }

  static let pairs: [(String, String, Bool)] = [
    ("read:data/", "read:data/a.txt", true), ("read:data", "read:data/b/c", true),
    ("read:data/", "read:data", true), ("read:data/", "read:database", false),
    ("read:data/", "write:data/a", false), ("read:*", "read:/etc/passwd", true),
    ("read:.", "read:data/", true), ("read:/", "read:/etc", true),
    ("read:~/notes/", "read:~/notes/a", true), ("read:~/", "read:~/notes/a", true),
    ("read:~/notes/", "read:notes/a", false), ("read:./data//x/", "read:data/x/y", true),
    ("read:data/", "read:*", false),
  ]

  @Test(arguments: pairs)
  func `a directory covers what is below it`(wide: String, narrow: String, isCovered: Bool) throws {
    #expect(try Self.scope(wide).covers(try Self.scope(narrow)) == isCovered)
    if isCovered { #expect(try Self.scope(wide).overlaps(try Self.scope(narrow))) }
  }

  @Test(arguments: ["read:..", "read:data/../x", "read:/..", "read:a\0b", "write:a*", "read:"])
  func `what leads up is no scope`(text: String) {
    #expect(throws: ScopeError.self) { try Self.scope(text) }
  }

  @Test(arguments: [
    ("read:~", "/home/me", true), ("read:~/notes/", "/home/me/notes/a", true),
    ("read:~/notes/", "/home/me/x", false), ("read:~notes/", "/app/~notes/a", true),
    ("read:~notes/", "/home/me/notes/a", false),
  ])
  func `a tilde is the directory of the person`(
    rule: String, path: String, isGranted: Bool
  ) throws {
    var grants = Grants()
    grants.directories = ScopeDirectories(scripts: "/app", home: "/home/me")
    grants.allowed = [.init(try Self.scope(rule))]
    let module = try #require(ModuleName("m"))
    let permissions = Permissions(needs: [try Self.scope("read:*")], grants)
    #expect(permissions.allow(try Self.scope("read:" + path), to: module) == isGranted)
  }

  @Test(arguments: [("read", true), ("write", false)])
  func `a need to read a place allows no writing there`(access: String, isAllowed: Bool) throws {
    var grants = Grants()
    grants.allowsAll = true
    grants.directories = ScopeDirectories(scripts: "/app", following: { $0 })
    var requested = RequestedScopes(needs: [try Self.scope("read:data/")])
    requested.places = grants.places(of: requested.needs)
    let module = try #require(ModuleName("m"))
    let permissions = Permissions(requested, grants)
    #expect(permissions.allow(try Self.scope("\(access):/app/data/x"), to: module) == isAllowed)
    #expect(!permissions.allow(try Self.scope("\(access):/app/other"), to: module))
  }

  @Test func `a path is compared where it leads, and a place as it is`() throws {
    var grants = Grants()
    grants.allowed = [Grants.Rule(try Self.scope("read:link/"))]
    let module = try #require(ModuleName("m"))
    func answer(_ path: String) -> Grants.Answer {
      grants.answer(to: Scope(.read, path: path), of: module)
    }
    #expect(answer("/kept/a") == .notGranted, "nothing is known about relative paths")
    grants.directories = ScopeDirectories(scripts: "/app")
    #expect(answer("/app/link/a") == .granted && answer("/kept/a") == .notGranted)
    grants.directories = ScopeDirectories(
      scripts: "/app", following: { $0.replacing("/app/link", with: "/kept") })
    #expect(answer("/kept/a") == .granted && answer("/app/link/a") == .notGranted)
    #expect(grants.destination(of: try Self.scope("read:link/b")) == "/kept/b")
    #expect(grants.destination(of: try Self.scope("read:data/b")) == nil)
  }

  @Test func `names that differ only in the bytes of a letter are different directories`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(!(try Self.scope("read:\(composed)/").covers(try Self.scope("read:\(decomposed)/a"))))
    #expect(try Self.scope("read:\(composed)/").covers(try Self.scope("read:\(composed)/a")))
  }

  @Test(arguments: ["storage", "env:HOME", "env:APP_*", "run:git"])
  func `the other kinds are read and written, and cover themselves`(text: String) throws {
    let scope = try Self.scope(text)
    #expect(scope.description == text)
    #expect(scope.covers(scope))
  }

  @Test func `the storage has no pattern`() {
    #expect(throws: ScopeError.needlessPattern(.storage)) { try Self.scope("storage:x") }
  }
}
