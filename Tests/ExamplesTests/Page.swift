import Foundation
import Testing

/// A document of the package, taken apart.
struct Page: CustomTestStringConvertible, Sendable {
  /// Relative to the package.
  let path: String
  let text: String

  var testDescription: String { path }

  /// All that people read before they write or embed modules.
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

  /// The page of the catalogue with that name.
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

  /// Writes the modules that say where they belong, such as `-- things/things.lua`, into a folder.
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
  /// `things/things.lua`, if the first line says so.
  var file: String? {
    guard language == "lua" else { return nil }
    return lines.first?.wholeMatch(of: /-- (\w+\/\w+\.lua)/).map { String($0.1) }
  }

  /// The module as a file: entries of a module's table become one.
  var module: String {
    if text.contains("return moon.module") { return text }
    return """
      local moon = require "moonwire"
      local ui = moon.ui
      return moon.module {
      \(text)}
      """
  }

  /// `things` if it is what somebody typed and got at the prompt of that directory.
  var directory: String? { lines.first?.prefixMatch(of: #/(\w+)> /#).map { String($0.1) } }

  /// Whether it shows what happens outside of the terminal, too.
  var isPicture: Bool { text.contains("←") }

  /// Whether it shows another framework, for comparison.
  var isAncestors: Bool { lines.first?.hasPrefix("// With ") ?? false }

  /// Whether it is what somebody typed and got in a shell.
  var isShell: Bool { lines.first?.hasPrefix("$ ") ?? false }

  /// What was typed, each with what was printed for it, without the prompt.
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
