import Foundation
import MoonTestSupport
import Testing

/// The documents' code and sessions work as shown.
@Suite(.ownThread) struct PageTests {
  static let blocks = Page.all.flatMap(\.blocks)
  static let modules = blocks.filter { $0.language == "lua" && !$0.isTest && !$0.isTestFile }
  static let tests = blocks.filter(\.isTest)
  static let sessions = blocks.filter { $0.directory != nil && !$0.isPicture }
  static let shells = blocks.filter(\.isShell)
  static let listings = blocks.filter { $0.language == "swift" && !$0.isAncestors }

  @Test func `there is something to hold the documents to`() {
    #expect(Page.all.count == 42)
    #expect(Self.modules.count > 20 && Self.sessions.count > 10 && Self.shells.count > 5)
    #expect(Self.listings.count > 5 && !Self.tests.isEmpty)
  }

  @Test func `nothing is shown that no test looks at`() {
    for block in Self.blocks {
      // Commands for a shell, the configurations of other programs, and the output of reloads and
      // a conversation, which WalkthroughTests and ProtocolGuideTests check.
      let isElsewhere =
        ["ini", "json", "sh"].contains(block.language) || block.isPicture
        || block.lines.first?.contains("→") ?? false
      #expect(
        ["lua", "swift"].contains(block.language) || block.directory != nil || block.isShell
          || isElsewhere, "\(block.testDescription)")
    }
  }

  @Test(arguments: modules)
  func `a module has no problems`(block: Page.Block) throws {
    try withFolder { folder in
      try Data(block.module.utf8).write(to: folder.appending(path: "module.lua"))
      let (output, code) = try Command.run(["check", "--allow-all", folder.path])
      // The other half of an app may be missing.
      #expect(output.contains("1 module, no problems"), "\(output)")
      #expect(code == 0)
    }
  }

  @Test(arguments: tests)
  func `a test of the example counter passes`(block: Page.Block) throws {
    try withFolder { folder in
      let example = ExamplesTests.folder.appending(path: "counter/counter.lua")
      try FileManager.default.copyItem(at: example, to: folder.appending(path: "counter.lua"))
      let tests = folder.appending(path: "tests")
      try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
      try Data(block.text.utf8).write(to: tests.appending(path: "shown.lua"))
      let (output, code) = try Command.run(["test", folder.path])
      #expect(output.contains("1 test passed"), "\(output)")
      #expect(code == 0)
    }
  }

  @Test(arguments: sessions)
  func `a session prints what it shows`(block: Page.Block) throws {
    try withFolder { folder in
      let directory = try #require(block.directory)
      try block.page.saveModules(in: folder)
      var scripts = folder.appending(path: directory)
      if !FileManager.default.fileExists(atPath: scripts.path) {
        scripts = ExamplesTests.folder.appending(path: directory)
      }
      let exchanges = block.exchanges(prompt: try Regex("\(directory)( [(\\[][^\\])]*[\\])])?> "))
      let (output, code) = try Command.run(
        ["run", "--no-watch", scripts.path],
        input: exchanges.map { "\($0.typed)\n" }.joined())
      #expect(output == exchanges.flatMap(\.printed).map { "\($0)\n" }.joined())
      #expect(code == 0)
    }
  }

  @Test(arguments: shells)
  func `a command prints what it shows`(block: Page.Block) throws {
    try withFolder { folder in
      try block.page.saveModules(in: folder)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "examples"), withDestinationURL: ExamplesTests.folder)
      for (typed, printed) in block.exchanges(prompt: #/\$ /#) {
        #expect(try Command.shell(typed, in: folder) == printed.map { "\($0)\n" }.joined())
      }
    }
  }

  @Test(arguments: listings)
  func `a listing in Swift is compiled`(block: Page.Block) throws {
    if block.text.contains(".package(") {
      let manifest = try String(
        contentsOf: Command.root.appending(path: "Package.swift"), encoding: .utf8)
      #expect(block.text.contains(".product(name: \"Moonwire\", package: \"moonwire\")"))
      #expect(manifest.contains("  name: \"moonwire\",\n"))
      for match in block.text.matches(of: /\.product\(name: "(\w+)"/) {
        #expect(manifest.contains(".library(name: \"\(match.1)\""))
      }
      for match in block.text.matches(of: /traits: \["(\w+)", "(\w+)"\]/) {
        for trait in [match.1, match.2] {
          #expect(manifest.contains("name: \"\(trait)\", description"))
        }
      }
      return
    }
    let sources = try ExamplesTests.programs.flatMap { name in
      let folder = ExamplesTests.folder.appending(path: name.folder)
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasSuffix(".swift")
      }.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }
    let others = try [
      "Tests/ExamplesTests/ThermometerTests.swift", "Tests/ExamplesTests/TodosTests.swift",
      "examples/server/Sources/Server.swift",
    ].map { try String(contentsOf: Command.root.appending(path: $0), encoding: .utf8) }
    let lines = block.lines.map { $0.drop { $0 == " " } }
    #expect(
      (sources + others).contains { source in
        source.split(separator: "\n", omittingEmptySubsequences: false)
          .map { $0.drop { $0 == " " } }.contains(lines)
      }, "not a part of an example in Swift")
  }

  @Test(arguments: Page.all)
  func `what a page names is there`(page: Page) {
    let names = page.text.matches(of: /(?:scripts|examples|Tests)\/[\w\/.]*\w/).map {
      String($0.0)
    }
    let folder = Command.root.appending(path: page.path).deletingLastPathComponent()
    let links = page.text.matches(of: /\]\(([^:)]+)\)/).map { String($0.1) }
    for url in names.map({ Command.root.appending(path: $0) })
      + links.map({ folder.appending(path: $0) })
    {
      #expect(FileManager.default.fileExists(atPath: url.path), "\(url.path)")
    }
  }

  @Test func `README fits on a few screens`() throws {
    let readme = try #require(Page(path: "README.md"))
    #expect(readme.text.count { $0 == "\n" } <= 150)
  }
}
