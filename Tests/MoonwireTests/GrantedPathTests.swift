import Glibc
import MoonTestSupport
import Testing

@testable import MoonServiceKit
@testable import Moonwire

/// Scopes `read:` and `write:` of a host, which are matched on the file that is really reached.
struct GrantedPathTests {
  private static func scope(_ text: String) throws -> Scope { try Scope(parsing: text) }

  /// Returns the grants of a host for a script directory, which grant nothing yet.
  private static func grants(in scripts: String) -> Grants {
    HostOptions().knowing(scripts).grants
  }

  @Test func `links in granted directories are followed, and what leads out isn't covered`() throws
  {
    let folder = try TemporaryFolder()
    let real = try #require(realpath(folder.path, nil).map { String(cString: $0) })
    for name in ["app", "app/data", "kept"] { #expect(mkdir("\(real)/\(name)", 0o700) == 0) }
    #expect(symlink("\(real)/kept", "\(real)/app/store") == 0)
    var grants = Self.grants(in: "\(real)/app")
    let needs = [try Self.scope("read:store/"), try Self.scope("read:data/")]
    grants.allowed = needs.map { Grants.Rule($0) }
    let module = try #require(ModuleName("m"))
    let permissions = Permissions(needs: needs, grants)
    try permissions.check(Scope(.read, path: "\(real)/kept/a"), of: module)
    try permissions.check(Scope(.read, path: "\(real)/app/data/a"), of: module)
    for path in ["\(real)/app/a", "\(real)/a", "/etc/passwd"] {
      #expect(throws: GrantRefusal.self) {
        try permissions.check(Scope(.read, path: path), of: module)
      }
    }
  }

  @Test func `a grant stays where its path led when it was given`() throws {
    let folder = try TemporaryFolder()
    let real = try #require(realpath(folder.path, nil).map { String(cString: $0) })
    for name in ["app", "app/data", "outside"] { #expect(mkdir("\(real)/\(name)", 0o700) == 0) }
    var grants = Self.grants(in: "\(real)/app")
    // `late` isn't there yet.
    grants.allowed = try ["read:data/", "read:late/"].map { Grants.Rule(try Self.scope($0)) }
    grants.denied = [Grants.Rule(try Self.scope("read:data/secret"))]
    let module = try #require(ModuleName("m"))
    func answer(_ path: String) -> Grants.Answer {
      grants.answer(to: Scope(.read, path: "\(real)/\(path)"), of: module)
    }
    #expect(answer("app/data/a") == .granted && answer("app/late/a") == .granted)
    // Both paths are made to lead outside, and the denied one elsewhere in the directory.
    #expect(rename("\(real)/app/data", "\(real)/app/old") == 0)
    for name in ["data", "late"] { #expect(symlink("\(real)/outside", "\(real)/app/\(name)") == 0) }
    #expect(answer("outside/a") == .notGranted)
    #expect(answer("app/old/a") == .notGranted)
    #expect(answer("app/data/secret") == .denied(by: grants.denied[0]))
    #expect(answer("outside/secret") == .denied(by: grants.denied[0]))
    // Another grant doesn't find the old ones anew.
    grants.allowed.append(Grants.Rule(.storage))
    #expect(answer("outside/a") == .notGranted)
  }

  @Test func `a path that leads elsewhere through a link says so`() throws {
    let folder = try TemporaryFolder()
    let real = try #require(realpath(folder.path, nil).map { String(cString: $0) })
    for name in ["app", "app/data", "kept"] { #expect(mkdir("\(real)/\(name)", 0o700) == 0) }
    #expect(symlink("\(real)/kept", "\(real)/app/store") == 0)
    #expect(symlink("\(real)/app", "\(real)/link") == 0)
    // A link to the script directory itself is the person's own.
    let grants = Self.grants(in: "\(real)/link")
    func destination(_ text: String) throws -> String? {
      grants.destination(of: try Self.scope(text))
    }
    #expect(try destination("read:store/") == "\(real)/kept")
    #expect(try destination("write:store/a/b") == "\(real)/kept/a/b")
    for text in ["read:data/", "read:none/", "read:*", "read:/", "storage", "net:a.example"] {
      #expect(try destination(text) == nil, "\(text)")
    }
  }

  @Test func `a link at the place that was reached isn't followed`() throws {
    let folder = try TemporaryFolder()
    let real = try #require(realpath(folder.path, nil).map { String(cString: $0) })
    #expect(mkdir("\(real)/data", 0o700) == 0)
    #expect(symlink("\(real)/data", "\(real)/swapped") == 0)
    let needs = [try Self.scope("read:\(real)/data/")]
    var grants = Self.grants(in: real)
    grants.allowed = needs.map { Grants.Rule($0) }
    let module = try #require(ModuleName("m"))
    #expect(throws: GrantRefusal.self) {
      try Permissions(needs: needs, grants).check(
        Scope(.read, path: "\(real)/swapped/a"), of: module)
    }
  }
}
