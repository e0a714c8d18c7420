import Foundation
import MoonPrompt
import MoonTerminal
import MoonTestSupport
import Testing

@testable import MoonAuthoring

/// Archives as they come from strangers.
@Suite(.ownThread) struct SourceTreeTests {
  /// Returns a header of a tar archive, and the contents.
  static func entry(
    _ path: String, _ text: String = "return {}", type: Character = "0", link: String = "",
    size: Int? = nil
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at start: Int) {
      header.replaceSubrange(start..<(start + text.utf8.count), with: text.utf8)
    }
    let bytes = type == "0" ? Array(text.utf8) : []
    put(path, at: 0)
    put("0000644\0", at: 100)
    let octal = String(size ?? bytes.count, radix: 8)
    put(String(repeating: "0", count: 11 - octal.count) + octal, at: 124)
    put("        " + String(type), at: 148)
    put(link, at: 157)
    put("ustar\u{0}00", at: 257)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
    return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
  }

  private func tree(_ bytes: [UInt8], _ name: String = "a.tar") throws -> SourceTree {
    let folder = try ScriptFolder()
    try folder.save(name, bytes: bytes)
    var tree = SourceTree(of: name)
    try tree.add(archive: folder.path(name))
    return tree
  }

  private func report(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing is wrong"
    } catch let error as PackagesError {
      return error.report.text(.plain)
    } catch {
      return "\(error)"
    }
  }

  @Test func `files are read, and links, devices and hidden files aren't`() throws {
    let tree = try tree(
      Self.entry("./cart/", type: "5") + Self.entry("./cart/init.lua", "return 1")
        + Self.entry("cart/.git/hooks/x") + Self.entry("cart/out", type: "2", link: "/etc/passwd")
        + Self.entry("cart/hard", type: "1", link: "/etc/passwd")
        + Self.entry("cart/null", type: "3"))
    #expect(tree.files == ["cart/init.lua": Array("return 1".utf8)])
    #expect(tree.leftOut.sorted() == ["cart/hard", "cart/null", "cart/out"])
  }

  @Test(arguments: [
    "../x.lua", "/etc/x.lua", "a/../../x.lua", "a//x.lua", "..", "a\u{1B}[2J.lua",
  ])
  func `an archive with a path that leaves it is refused`(path: String) {
    let text = report { _ = try tree(Self.entry("cart.lua") + Self.entry(path)) }
    #expect(text.contains("leads out of it"), "\(text)")
  }

  @Test(arguments: ["q\u{1B}[31m.lua", "q\nr.lua", "d\u{7F}/x.lua"])
  func `a folder with a control character in a file's name is refused`(path: String) throws {
    let folder = try ScriptFolder(["cart/init.lua": "return {}", "cart/\(path)": "return {}"])
    let text = report {
      var tree = SourceTree(of: "cart")
      try tree.add(folder: folder.path("cart"), as: "")
    }
    #expect(text.contains("has control characters") && !text.contains(path), "\(text)")
  }

  @Test func `an archive with too many entries is refused`() {
    var many = Self.entry("d", type: "5")
    while many.count <= 10_000 * 512 { many += many }
    let text = report { [many] in _ = try tree(many) }
    #expect(text.contains("more than 10,000 entries"), "\(text)")
  }

  @Test func `a bomb is refused before it fills the memory`() throws {
    let folder = try ScriptFolder()
    let size = 1 << 30
    try folder.save("head", bytes: Self.entry("bomb.lua", "", size: size))
    let path = folder.path("bomb.tgz")
    // Says that it has 1 GB, of which the first 66 MB are there.
    _ = try Program.shell(
      "{ cat \(folder.path("head")); head -c 66M /dev/zero; } | gzip -1 > \(path)")
    let text = report {
      var tree = SourceTree(of: path)
      try tree.add(archive: path)
    }
    #expect(text.contains("more than 64 MB of files"), "\(text)")
  }

  @Test func `what isn't a whole archive says so`() {
    for (bytes, reason) in [
      (Array("hello".utf8), "Unrecognized"), (Self.entry("a.lua").dropLast(508), "Truncated"),
    ] {
      let text = report { _ = try tree(Array(bytes)) }
      #expect(text.contains("a.tar can't be read as an archive") && text.contains(reason))
    }
  }

  @Test func `a folder around everything is taken away, unless it is the module's own`() throws {
    var wrapped = try tree(Self.entry("cart-2.1/shop.lua") + Self.entry("cart-2.1/lib/a.lua"))
    #expect(wrapped.enterOnlyFolder() == "cart-2.1")
    #expect(wrapped.files.keys.sorted() == ["lib/a.lua", "shop.lua"])
    var own = try tree(Self.entry("cart/init.lua"))
    #expect(own.enterOnlyFolder() == nil)
  }
}

/// What a person types as an origin.
struct ModuleOriginTests {
  static let origins: [(String, ModuleOrigin.Place, String?, String)] = [
    ("../cart", .path("../cart"), nil, "cart"),
    ("x@y/cart.lua", .path("x@y/cart.lua"), nil, "cart"),
    ("cart.tar.gz", .path("cart.tar.gz"), nil, "cart"),
    ("https://a.org/cart.git", .repository("https://a.org/cart.git"), nil, "cart"),
    ("https://me@a.org/cart@v1", .repository("https://me@a.org/cart"), "v1", "cart"),
    ("git@a.org:cart.git@v1", .repository("git@a.org:cart.git"), "v1", "cart"),
    ("git@a.org:me/cart.git", .repository("git@a.org:me/cart.git"), nil, "cart"),
  ]

  @Test(arguments: origins)
  func `it is a path, or a repository with a revision`(
    text: String, place: ModuleOrigin.Place, revision: String?, name: String
  ) {
    let origin = ModuleOrigin(text)
    #expect(origin.place == place)
    #expect(origin.revision == revision)
    #expect(origin.name == name)
  }
}
