import Foundation
import Testing

/// What README.md shows is what happens.
struct ReadmeTests {
  /// A piece of code in README.md.
  struct Block: CustomTestStringConvertible {
    let language: String
    let lines: [String]

    var text: String { lines.joined(separator: "\n") + "\n" }
    var testDescription: String { lines.first ?? "" }

    /// `things/things.lua`, if the first line says so.
    var file: String? {
      lines.first?.wholeMatch(of: /-- (\w+\/\w+\.lua)/).map { String($0.1) }
    }

    /// `things` if it is what somebody typed and got at the prompt of that directory.
    var directory: String? {
      lines.first?.prefixMatch(of: #/(\w+)> /#).map { String($0.1) }
    }
  }

  static let text =
    (try? String(
      contentsOf: ExamplesTests.folder.deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)) ?? ""

  static var blocks: [Block] {
    var blocks: [Block] = []
    var open: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        if let (language, lines) = open { blocks.append(Block(language: language, lines: lines)) }
        open = open == nil ? (String(line.dropFirst(3)), []) : nil
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  static var modules: [Block] { blocks.filter { $0.language == "lua" } }
  static var sessions: [Block] { blocks.filter { $0.directory != nil } }

  @Test func `there are modules and sessions`() {
    #expect(Self.modules.count >= 3 && Self.modules.contains { $0.file != nil })
    #expect(Self.sessions.count >= 3)
  }

  @Test(arguments: modules)
  func `a module has no problems`(block: Block) throws {
    try withFolder { folder in
      try Self.save(block, as: "module.lua", in: folder)
      let (output, code) = try Command.run(["check", folder.path])
      #expect(output == "1 module, no problems\n")
      #expect(code == 0)
    }
  }

  @Test(arguments: sessions)
  func `a session prints what it shows`(block: Block) throws {
    try withFolder { folder in
      let directory = try #require(block.directory)
      let files = Self.modules.filter { $0.file?.hasPrefix("\(directory)/") ?? false }
      for module in files {
        let name = try #require(module.file?.split(separator: "/").last)
        try Self.save(module, as: String(name), in: folder)
      }
      let scripts = files.isEmpty ? ExamplesTests.folder.appending(path: directory) : folder
      let prompt = try Regex("\(directory)( \\[[^\\]]*\\])?> ")
      let typed = block.lines.compactMap { line in
        line.prefixMatch(of: prompt).map { line[$0.range.upperBound...] }
      }
      let shown = block.lines.filter { $0.prefixMatch(of: prompt) == nil }
      let (output, code) = try Command.run(
        ["run", "--no-watch", scripts.path], input: typed.joined(separator: "\n") + "\n")
      #expect(output == shown.joined(separator: "\n") + "\n")
      #expect(code == 0)
    }
  }

  @Test(arguments: ["moon", "moon.nav", "moon.ui"])
  func `every word of Lua's is in the reference`(table: String) throws {
    // A word of the first table reads in the parts that are loaded when they are asked for.
    let (output, code) = try Command.run(
      ["run", "--no-watch", ExamplesTests.folder.appending(path: "counter").path],
      input: "= moon.redirect, moon.ui\n= for name in pairs(\(table)) do print(name) end\n")
    let words = output.split(separator: "\n").filter { $0.wholeMatch(of: /[a-z_]+/) != nil }
    #expect(words.count >= 10 && code == 0, "\(output)")
    let reference = try #require(Self.text.components(separatedBy: "## Reference").last)
    for word in words {
      let wanted = try Regex("\\b\(word)\\b").wordBoundaryKind(.simple)
      #expect(reference.contains(wanted), "\(table).\(word)")
    }
  }

  private static func save(_ block: Block, as name: String, in folder: URL) throws {
    try Data(block.text.utf8).write(to: folder.appending(path: name))
  }
}
