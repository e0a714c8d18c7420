import Foundation
import Testing

/// A document of the package, parsed.
struct Page: CustomTestStringConvertible, Sendable {
  /// The path relative to the package.
  let path: String
  let text: String

  var testDescription: String { path }

  /// All documents for people who write or embed modules.
  static let all: [Page] = {
    let catalogue = "Sources/Moonwire/Moonwire.docc"
    let folder = Command.root.appending(path: catalogue)
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let pages = (found ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
    return (["README.md", "examples/README.md"] + pages).compactMap { Page(path: $0) }
  }()

  init?(path: String) {
    self.path = path
    guard let text = try? String(contentsOf: Command.root.appending(path: path), encoding: .utf8)
    else { return nil }
    self.text = text
  }

  /// Returns the page of the catalogue with a name.
  static func named(_ name: String) -> Page? { all.first { $0.path.hasSuffix("/\(name).md") } }

  /// A piece of code on a page.
  struct Block: CustomTestStringConvertible, Sendable {
    let page: Page
    let language: String
    let lines: [String]

    var text: String { lines.joined(separator: "\n") + "\n" }
    var testDescription: String { "\(page.path): \(lines.first ?? "")" }
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var open: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        if let (language, lines) = open {
          blocks.append(Block(page: self, language: language, lines: lines))
        }
        open = open == nil ? (String(line.dropFirst(3)), []) : nil
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  /// Writes the modules whose first line is a path, such as `-- things/things.lua`, into a folder.
  func saveModules(in folder: URL) throws {
    for block in blocks {
      guard let file = block.file else { continue }
      let url = folder.appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(block.text.utf8).write(to: url)
    }
  }
}

extension Page.Block {
  /// The path in the first line, such as `things/things.lua`, if there is one.
  var file: String? {
    guard language == "lua" else { return nil }
    return lines.first?.wholeMatch(of: /-- (\w+\/(?:tests\/)?\w+\.lua)/).map { String($0.1) }
  }

  /// The text as a module's file.
  ///
  /// Entries of a module's table become a module, and statements an effect of one.
  var module: String {
    if text.contains("return moon.module") { return text }
    let isCode = lines.first?.prefixMatch(of: #/moon\.|local |for /#) != nil
    let head = "effects = { go = function(payload, self, url, text, data)\n"
    return """
      local moon = require "moonwire"
      local ui = moon.ui
      return moon.module {
      \(isCode ? head : "")\(text)\(isCode ? "\nend },\n" : "")}
      """
  }

  /// Whether the text is a file of tests, which a session in a shell runs.
  var isTestFile: Bool { file?.contains("/tests/") ?? false }

  /// Whether the text is a test for `moonwire test`.
  var isTest: Bool { language == "lua" && text.contains("  steps = {") }

  /// The directory, such as `things`, if the text is a session at its prompt.
  var directory: String? { lines.first?.prefixMatch(of: #/(\w+)> /#).map { String($0.1) } }

  /// Whether the text also shows events outside the terminal.
  var isPicture: Bool { text.contains("←") }

  /// Whether the text shows another framework, for comparison.
  var isAncestors: Bool { lines.first?.hasPrefix("// With ") ?? false }

  /// Whether the text is a session in a shell.
  var isShell: Bool { lines.first?.hasPrefix("$ ") ?? false }

  /// Returns the typed lines, each with its output, without the prompt.
  func exchanges(prompt: Regex<some Any>) -> [(typed: String, printed: [String])] {
    var exchanges: [(typed: String, printed: [String])] = []
    for line in lines {
      if let match = line.prefixMatch(of: prompt) {
        exchanges.append((String(line[match.range.upperBound...]), []))
      } else if !exchanges.isEmpty {
        exchanges[exchanges.count - 1].printed.append(line)
      }
    }
    return exchanges
  }
}
