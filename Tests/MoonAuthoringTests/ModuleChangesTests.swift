import Foundation
import MoonPrompt
import MoonTerminal
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonAuthoring

/// Modules of others in the directory of an app.
@Suite(.ownThread) struct ModuleChangesTests {
  /// An app, and a module of somebody else beside it.
  private final class World {
    let folder: ScriptFolder
    let changes: ModuleChanges
    var environment: [String: String] { ["TMPDIR": folder.outside, "PATH": "/usr/bin:/bin"] }

    static let cart = """
      local prices, text = require ".prices", require "text"
      return require("moonwire").module {
        needs = { "net:pay.example.org" },
        routes = { ["/"] = function() return { title = "Cart" } end },
      }
      """

    init(_ files: [String: String] = [:], waiting seconds: Double? = nil) throws {
      folder = try ScriptFolder(
        [
          "home.lua": #"return { routes = { ["/"] = function() return {} end } }"#,
          "../other/cart/init.lua": Self.cart, "../other/cart/prices.lua": "return {}",
          "../other/cart/tests/cart.lua": "return {}", "../other/cart/.hidden": "",
          "../other/lib/text.lua": "return {}", "../other/lib/unused.lua": "return {}",
        ].merging(files) { $1 })
      changes = ModuleChanges(
        in: folder.root, ["TMPDIR": folder.outside, "PATH": "/usr/bin:/bin"], waiting: seconds)
    }

    func add(_ origin: String = "../other/cart", name: String? = nil) async throws
      -> ModuleChanges.Addition
    {
      let path = origin.hasPrefix("../") ? folder.path(origin) : origin
      return try await changes.add(ModuleOrigin(path), named: name.flatMap { ModuleName($0) })
    }

    /// The paths in the app's directory, hidden ones too, each with its contents.
    var contents: [String: String] {
      let files = FileManager.default.enumerator(atPath: folder.root)?.allObjects as? [String]
      return (files ?? []).reduce(into: [:]) {
        $0[$1] = (try? String(contentsOfFile: folder.path($1), encoding: .utf8)) ?? "folder"
      }
    }

    func read(_ path: String) -> String? { contents[path] }
  }

  /// Returns the report on why something fails; checks that it changes nothing.
  private func report(
    _ world: World, _ body: () async throws -> Void
  ) async -> String {
    let before = world.contents
    do {
      try await body()
      return "nothing is wrong"
    } catch let error as PackagesError {
      #expect(world.contents == before)
      return error.report.text(.plain)
    } catch {
      return "\(error)"
    }
  }

  private static let cart = ModuleName(literal: "cart")

  @Test func `a folder comes with the libraries that it requires, and goes without a trace`()
    async throws
  {
    let world = try World()
    let before = world.contents
    let addition = try await world.add()
    #expect(
      addition.module.files.keys.sorted() == [
        "cart/init.lua", "cart/prices.lua", "cart/tests/cart.lua", "lib/text.lua",
      ])
    #expect(world.read("cart/init.lua") == World.cart && world.read("lib/unused.lua") == nil)
    let lines = AdditionText(addition).lines(.plain)
    #expect(lines.contains("  needs net:pay.example.org"), "\(lines)")
    #expect(
      AdditionText(addition).notices.map(\.headline).contains { $0.contains("is never reached") })
    #expect(try world.changes.verify().differences.isEmpty)
    #expect(try world.changes.remove(Self.cart, evenIfChanged: false) == [])
    #expect(world.contents == before)
  }

  @Test func `an update brings what has changed, and only that`() async throws {
    let world = try World()
    _ = try await world.add()
    #expect(try await world.changes.update(Self.cart).isSame)
    try world.folder.save("../other/cart/prices.lua", "return { 1 }")
    try world.folder.remove("../other/cart/tests/cart.lua")
    try world.folder.save("../other/cart/more.lua", "return {}")
    let lines = AdditionText(try await world.changes.update(Self.cart)).lines(.plain)
    #expect(
      lines.dropFirst().prefix(3) == [
        "  + cart/more.lua", "  ~ cart/prices.lua", "  − cart/tests/cart.lua",
      ])
    #expect(world.read("cart/prices.lua") == "return { 1 }" && world.read("cart/tests") == nil)
  }

  @Test func `no file outside of the app is changed through the link of a folder`() async throws {
    let world = try World(["../mine/init.lua": "own", "../out/own.lua": "own"])
    _ = try await world.add()
    try world.folder.remove("cart")
    try world.folder.makeLink("cart", to: "../mine")
    for isForced in [false, true] {
      let updating = await report(world) {
        _ = try await world.changes.update(Self.cart, evenIfChanged: isForced)
      }
      #expect(updating.contains("cart/init.lua leads out of the app's directory, to /"))
      let removing = await report(world) {
        _ = try world.changes.remove(Self.cart, evenIfChanged: isForced)
      }
      #expect(removing.contains("leads out of the app's directory"), "\(removing)")
    }
    #expect(
      try String(contentsOfFile: world.folder.path("../mine/init.lua"), encoding: .utf8) == "own")
    // Without the link, its files are missing, as if somebody had removed them.
    try world.folder.remove("cart")
    _ = try world.changes.remove(Self.cart, evenIfChanged: false)
    try world.folder.makeLink("lib", to: "../out")
    let adding = await report(world) { _ = try await world.add() }
    #expect(adding.contains("lib/text.lua leads out"), "\(adding)")
    let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("../out"))
    #expect(names == ["own.lua"])
    // A link that stays inside is like a folder.
    try world.folder.remove("lib")
    try world.folder.save("shared/mine.lua")
    try world.folder.makeLink("lib", to: "shared")
    _ = try await world.add()
    #expect(world.read("shared/text.lua") == "return {}")
  }

  @Test func `what was changed by hand is shown, and kept unless it is forced`() async throws {
    let world = try World()
    _ = try await world.add()
    try world.folder.save("cart/prices.lua", "return { own = 1 }")
    try world.folder.save("cart/mine.lua")
    try world.folder.makeLink("cart/link.lua", to: "../home.lua")
    try world.folder.remove("lib/text.lua")
    let found = try world.changes.verify().differences.map { "\($0.kind) \($0.path)" }
    #expect(
      found == [
        "changed cart/prices.lua", "missing lib/text.lua", "added cart/link.lua",
        "added cart/mine.lua",
      ])
    let kept = await report(world) { _ = try await world.changes.update(Self.cart) }
    #expect(kept.contains("changed by hand: cart/prices.lua"), "\(kept)")
    let forced = try await world.changes.update(Self.cart, evenIfChanged: true)
    #expect(
      AdditionText(forced).lines(.plain) == ["restored cart/prices.lua", "restored lib/text.lua"])
    #expect(try world.changes.verify().differences.map(\.kind) == [.added, .added])
    try world.folder.remove("lib/text.lua")
    #expect(try await world.changes.update(Self.cart).restored == ["lib/text.lua"])
    #expect(
      try world.changes.remove(Self.cart, evenIfChanged: true)
        == ["cart/link.lua", "cart/mine.lua"])
    #expect(world.read("cart/mine.lua") != nil && world.read("cart/init.lua") == nil)
  }

  @Test func `a module comes under another name, and keeps it when it is updated`() async throws {
    let world = try World([
      "cart.lua": "return {}", "../other/cart/tests/cart.lua": #"local t = "cart/add" return {}"#,
    ])
    let addition = try await world.add(name: "cart2")
    #expect(
      addition.module.files.keys.sorted() == [
        "cart2/init.lua", "cart2/prices.lua", "cart2/tests/cart.lua", "lib/text.lua",
      ])
    let notices = AdditionText(addition).notices.map(\.headline)
    #expect(notices.contains { $0.hasPrefix("texts in cart2/tests/cart.lua begin with 'cart/'") })
    let changed = World.cart.replacing(#"{ "net"#, with: #"{ "storage", "net"#)
    try world.folder.save("../other/cart/init.lua", changed)
    let cart2 = try #require(ModuleName("cart2"))
    let lines = AdditionText(try await world.changes.update(cart2)).lines(.plain)
    #expect(
      lines.dropFirst().sorted() == [
        "  needs net:pay.example.org", "  newly needs storage", "  ~ cart2/init.lua",
      ])
    #expect(world.read("cart2/init.lua") == changed && world.read("cart.lua") == "return {}")
    try world.folder.save("../other/cart/init.lua", "oops")
    let broken = await report(world) { _ = try await world.changes.update(cart2) }
    #expect(broken.contains("the one in the app stays"), "\(broken)")
    let unknown = await report(world) { _ = try await world.changes.update(Self.cart) }
    #expect(unknown.contains("moonwire.lock has cart2"), "\(unknown)")
  }

  @Test func `a library that two modules have goes with the last of them`() async throws {
    let world = try World([
      "../other/shop.lua": #"local t = require "text" return {}"#,
      "../other/tests/shop.lua": "return {}",
    ])
    _ = try await world.add()
    #expect(
      try await world.add("../other/shop.lua").module.files.keys.sorted()
        == ["lib/text.lua", "shop.lua", "tests/shop.lua"])
    _ = try world.changes.remove(Self.cart, evenIfChanged: false)
    #expect(world.read("lib/text.lua") != nil)
    _ = try world.changes.remove(#require(ModuleName("shop")), evenIfChanged: false)
    #expect(world.read("lib") == nil && world.read("moonwire.lock") == nil)
  }

  @Test(arguments: [
    (["cart.lua": "return {}"], "../other/cart", "the app has a module cart: cart.lua"),
    (
      ["lib/text.lua": "return 1"], "../other/cart",
      "the app has another file lib/text.lua than module cart brings"
    ),
    (["lib": ""], "../other/cart", "lib/text.lua can't be made: Not a directory"),
    (["../other/cart/init.lua": "oops"], "../other/cart", "syntax error"),
    ([:], "../other/lib", "there are 2 modules in"),
    ([:], "../other/none", "No such file"),
    (["../other/2x/init.lua": "return {}"], "../other/2x", "--name NAME gives it one"),
    (["../other/empty/x.txt": ""], "../other/empty", "there is no module in"),
    (["../other/logger.lua": "return {}"], "../other/logger.lua", "a built-in module"),
    (
      ["../other/cart/\(String(repeating: "d/", count: 16))x.lua": ""], "../other/cart",
      "deeper than 16"
    ),
  ])
  func `what can't be added changes nothing`(
    files: [String: String], origin: String, reason: String
  ) async throws {
    let world = try World(files)
    let text = await report(world) { _ = try await world.add(origin) }
    #expect(text.contains(reason), "\(text)")
  }

  @Test func `an origin that answers with another module is refused`() async throws {
    let world = try World()
    _ = try await world.add("../other/cart")
    let lock = try #require(world.read("moonwire.lock"))
    try world.folder.save("../other/swap/shop.lua")
    try world.folder.remove("../other/cart")
    try world.folder.rename("../other/swap", "../other/cart")
    let text = await report(world) { _ = try await world.changes.update(Self.cart) }
    #expect(text.contains("there is no module cart in"), "\(text)")
    #expect(text.contains("it has shop") && world.read("moonwire.lock") == lock, "\(text)")
  }

  @Test(arguments: [
    ("  }\n}\n", "", "isn't whole"),
    (#""format": 1"#, #""format": 2"#, "newer version of moonwire"),
    ("cart/prices.lua", "cart/price.lua", "aren't those of its hash"),
    ("cart/prices.lua", "../prices.lua", "'../prices.lua' leads out"),
    (#""origin""#, #""from""#, "'cart.origin' is missing"),
    (#""cart": {"#, #""c-t": {"#, "'c-t' can't be a module's name"),
  ])
  func `a lock file that isn't as it was written is refused`(
    old: String, new: String, reason: String
  ) async throws {
    let world = try World()
    _ = try await world.add()
    let text = try #require(world.read("moonwire.lock"))
    #expect(text.contains(old))
    try world.folder.save("moonwire.lock", text.replacing(old, with: new))
    let found = await report(world) { try _ = world.changes.remove(Self.cart, evenIfChanged: true) }
    #expect(found.contains(reason), "\(found)")
  }

  @Test func `of two programs, one waits for the other`() async throws {
    let world = try World(waiting: 0.01)
    let lock = try FileLock(directory: world.folder.root, within: 0)
    let text = await report(world) { _ = try await world.add() }
    #expect(text.contains("another program is changing the modules"), "\(text)")
    lock.release()
    let origin = ModuleOrigin(world.folder.path("../other/cart"))
    let brought = try await ModuleSource(origin, world.environment).bring(named: nil)
    // Both have found the name free before either took it.
    _ = try await world.changes.add(brought, from: origin, updating: false)
    let second = await report(world) {
      _ = try await world.changes.add(brought, from: origin, updating: false)
    }
    #expect(second.contains("module cart was added already"), "\(second)")
  }

  @Test func `an archive needs a name only if it doesn't say it`() async throws {
    let world = try World()
    let module = SourceTreeTests.entry("x-1.0/init.lua", "return {}")
    try world.folder.save("../cart-1.0.tar", bytes: module)
    let text = await report(world) { _ = try await world.add("../cart-1.0.tar") }
    #expect(text.contains("'x-1.0' can't be a module's name"), "\(text)")
    let addition = try await world.add("../cart-1.0.tar", name: "cart")
    #expect(addition.module.files.keys.sorted() == ["cart/init.lua"])
    #expect(addition.module.revision?.count == 64)
  }

  /// The program can't write files at all, as on a full disk.
  @Test func `a full disk leaves everything as it was`() throws {
    let world = try World()
    let before = world.contents
    let result = try Program.shell(
      """
      ulimit -f 0; export TMPDIR=/dev/shm
      $MOONWIRE new \(world.folder.path("../new")); echo $?
      $MOONWIRE add \(world.folder.path("../other/cart")) --at \(world.folder.root); echo $?
      """)
    #expect(result.lines == ["73", "73"], "\(result)")
    #expect(result.errors.contains("File too large"), "\(result.errors)")
    #expect(world.contents == before)
    #expect(!FileManager.default.fileExists(atPath: world.folder.path("../new")))
  }
}
