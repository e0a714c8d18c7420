import MoonTestSupport
import Testing

@testable import MoonServiceKit

/// Scopes `net:`, which are matched on the host and port that are really reached.
struct NetScopeTests {
  private static func scope(_ text: String) throws -> Scope { try Scope(parsing: text) }

  static let pairs: [(String, String, Bool)] = [
    ("net:example.com", "net:example.com:443", true),
    ("net:example.com:443", "net:example.com:443", true),
    ("net:example.com:443", "net:example.com:80", false),
    ("net:example.com:443", "net:example.com", false),
    ("net:EXAMPLE.com.", "net:example.COM:1", true),
    ("net:*.example.com", "net:api.example.com:443", true),
    ("net:*.example.com", "net:example.com:443", false),
    ("net:*.example.com", "net:evilexample.com:443", false),
    ("net:example.com", "net:example.com.evil.org:443", false),
    ("net:*", "net:example.com:443", true), ("net:*:443", "net:example.com:443", true),
    ("net:*:443", "net:example.com:80", false),
    ("net:*", "net:localhost:80", false), ("net:*", "net:127.0.0.1:80", false),
    ("net:*", "net:10.1.2.3:80", false), ("net:*", "net:[fd00::1]:80", false),
    ("net:*", "net:93.184.216.34:80", true), ("net:*", "net:[2606:2800:220:1::1]:80", true),
    ("net:localhost", "net:127.0.0.1:80", true), ("net:127.0.0.1", "net:localhost:80", true),
    ("net:localhost:80", "net:[::1]:80", true), ("net:localhost:80", "net:[::1]:81", false),
    ("net:localhost", "net:127.0.0.2:80", false), ("net:10.*", "net:10.1.2.3:80", true),
    ("net:127.*", "net:127.0.0.1:80", true), ("net:127.*", "net:localhost", true),
    ("net:12*", "net:localhost", true), ("net:128.*", "net:127.0.0.1", false),
    ("net:192.168.*", "net:192.168.0.1:80", true), ("net:192.168.*", "net:10.0.0.1:80", false),
    ("net:*.localhost", "net:a.localhost:80", true),
    ("net:a.localhost", "net:a.localhost:80", true),
    ("net:[fd00::1]", "net:[fd00:0:0:0:0:0:0:1]:80", true),
    ("net:*", "net:[::ffff:10.0.0.1]:80", false), ("net:*", "net:[64:ff9b::a00:1]:80", false),
    ("net:*", "net:[2002:a00:1::]:80", false), ("net:*", "net:[fe80::1]:80", false),
    ("net:*", "net:[::]:80", false), ("net:*", "net:0.0.0.0:80", false),
    ("net:localhost", "net:0.0.0.0:80", false),
    ("net:*", "net:169.254.169.254:80", false), ("net:*", "net:100.64.0.1:80", false),
    ("net:*", "net:172.16.0.1:80", false), ("net:*", "net:172.32.0.1:80", true),
    ("net:*", "state:*", false),
  ]

  @Test(arguments: pairs)
  func `a scope covers the hosts and ports that it names, and local ones only by name`(
    wide: String, narrow: String, isCovered: Bool
  ) throws {
    #expect(try Self.scope(wide).covers(try Self.scope(narrow)) == isCovered)
  }

  @Test(arguments: [
    "net:", "net:a b", "net:a:b", "net:a:0", "net:a:65536", "net:a:1:2", "net:[::1", "net:[x]:1",
    "net:http://a", "net:a/b", "net:a@b", "net:a*b*", "net:[::1]80", "net:a:-1", "net:a:+1",
  ])
  func `what names no host is refused`(text: String) {
    #expect(throws: ScopeError.self) { try Self.scope(text) }
  }

  @Test func `covering is reflexive and transitive, and what is covered overlaps`() throws {
    var random = SplitMix64(seed: 7)
    let hosts = [
      "*", "a.com", "*.a.com", "b.a.com", "localhost", "127.0.0.1", "10.*", "10.0.0.1", "[::1]",
      "8.8.8.8", "8.*",
    ]
    let ports = ["", ":80", ":443"]
    func any() throws -> Scope {
      try Self.scope(
        "net:\((hosts.randomElement(using: &random) ?? "*"))\((ports.randomElement(using: &random) ?? ""))"
      )
    }
    for _ in 0..<2_000 {
      let (a, b, c) = (try any(), try any(), try any())
      #expect(a.covers(a))
      if a.covers(b), b.covers(c) { #expect(a.covers(c), "\(a) \(b) \(c)") }
      if a.covers(b) { #expect(a.overlaps(b), "\(a) \(b)") }
      #expect(a.overlaps(b) == b.overlaps(a))
    }
  }

  @Test func `a denial of everything includes local addresses`() throws {
    var grants = Grants()
    grants.allowsAll = true
    grants.denied = [.init(try Self.scope("net:*"))]
    let module = try #require(ModuleName("m"))
    #expect(
      grants.answer(to: try Self.scope("net:localhost:80"), of: module)
        == .denied(by: grants.denied[0]))
  }

  @Test(arguments: [
    ("net:127.*", "net:0.0.0.0:80", true), ("net:localhost", "net:[::ffff:0.0.0.0]:80", true),
    ("net:[::1]", "net:[::]:80", true), ("net:10.*", "net:0.0.0.0:80", false),
    ("net:127.0.0.1:81", "net:0.0.0.0:80", false),
  ])
  func `a denial of the loopback includes what a connection takes for it`(
    denied: String, wanted: String, isDenied: Bool
  ) throws {
    var grants = Grants()
    grants.allowsAll = true
    grants.denied = [.init(try Self.scope(denied))]
    let answer = grants.answer(to: try Self.scope(wanted), of: try #require(ModuleName("m")))
    #expect((answer == .denied(by: grants.denied[0])) == isDenied)
  }

  @Test func `a denial of one host leaves the others`() throws {
    var grants = Grants()
    grants.allowed = [.init(try Self.scope("net:*"))]
    grants.denied = [.init(try Self.scope("net:evil.com"))]
    let module = try #require(ModuleName("m"))
    let permissions = Permissions(needs: [try Self.scope("net:*")], grants)
    #expect(grants.answer(to: try Self.scope("net:*"), of: module) == .granted)
    try permissions.check(Scope(host: "good.com", port: 443), of: module)
    #expect(throws: GrantRefusal.self) {
      try permissions.check(Scope(host: "EVIL.com", port: 443), of: module)
    }
  }

  @Test(arguments: [("127.0.0.1", true), ("10.1.2.3", true), ("b.com", false)])
  func `a refusal says that a local address must be named`(host: String, isLocal: Bool) throws {
    let module = try #require(ModuleName("m"))
    let refusal = GrantRefusal.notNeeded(Scope(host: host, port: 80), module)
    #expect("\(refusal)".contains("a local address must be named") == isLocal)
  }

  @Test func `what isn't among the needs is refused even if it is granted`() throws {
    var grants = Grants()
    grants.allowsAll = true
    let module = try #require(ModuleName("m"))
    let scope = Scope(host: "b.com", port: 1)
    #expect(throws: GrantRefusal.notNeeded(scope, module)) {
      try Permissions(needs: [try Self.scope("net:a.com")], grants).check(scope, of: module)
    }
  }
}
