import Foundation
import MoonTestSupport
import Testing

/// The instructions of README.md, in order, and their results.
@Suite(.ownThread) struct WalkthroughTests {
  @Test func `the five minutes go as they are told`() throws {
    let readme = try #require(Page(path: "README.md"))
    let steps = try #require(readme.text.components(separatedBy: "## Five minutes\n").last)
      .components(separatedBy: "\n## ")[0]
    let blocks = readme.blocks.filter { steps.contains($0.text) }
    let first = try #require(blocks.first)
    #expect(
      first.lines == ["scripts/moonwire new /tmp/counter", "scripts/moonwire run /tmp/counter"])
    try withFolder { parent in
      let folder = parent.appending(path: "counter")
      #expect(try Command.run(["new", folder.path]).code == 0)
      try walk(blocks.dropFirst().filter { !$0.text.hasPrefix("printf") }, in: folder)
    }
  }

  @Test func `the picture is what is seen`() throws {
    let readme = try #require(Page(path: "README.md"))
    let picture = try #require(readme.blocks.first)
    // An arrow in the picture stands for an edit.
    var edits = [
      "sed -i 's/+ (payload.by or 1)/+ 10 * (payload.by or 1)/' /tmp/counter/counter.lua",
      "echo oops >> /tmp/counter/counter.lua",
      "sed -i -e '$d' -e 's/10 /100 /' /tmp/counter/counter.lua",
    ]
    var blocks: [Page.Block] = []
    var lines: [String] = []
    for line in picture.lines {
      if line.contains("←"), !edits.isEmpty {
        blocks.append(Page.Block(page: readme, language: "", lines: lines))
        blocks.append(Page.Block(page: readme, language: "sh", lines: [edits.removeFirst()]))
        lines = []
      }
      lines.append(line.replacing(#/ *←.*/#, with: ""))
    }
    blocks.append(Page.Block(page: readme, language: "", lines: lines))
    #expect(edits.isEmpty)
    try withFolder(copying: ExamplesTests.folder.appending(path: "counter")) { folder in
      try walk(blocks, in: folder)
    }
  }

  /// Types the lines of some blocks at the prompt of an app `counter`, runs those of others in a
  /// shell, and compares the output.
  private func walk(_ blocks: [Page.Block], in folder: URL) throws {
    let terminal = try Terminal(["run", "--keep-going", folder.path])
    var expected: [String] = []
    for block in blocks {
      guard block.language != "sh" else {
        _ = try Command.shell(block.text.replacing("/tmp/counter", with: folder.path), in: folder)
        continue
      }
      for line in block.lines {
        if let match = line.prefixMatch(of: #/counter> /#) {
          terminal.read(lineCount: expected.count)
          try terminal.type(String(line[match.range.upperBound...]))
        } else {
          expected.append(line)
        }
      }
      terminal.read(lineCount: expected.count)
    }
    terminal.leave()
    let wanted = expected.map { "\($0)\n" }.joined()
    #expect(Command.untimed(terminal.output) == Command.untimed(wanted))
  }
}
