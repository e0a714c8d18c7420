import Foundation
import Moonwire
import Testing

@Suite struct ScriptLibraryTests {
  /// Returns the cells of all rows of a page of the reference.
  private static func rows(of page: String) throws -> [[String]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "Sources/Moonwire/Moonwire.docc/Reference/\(page).md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| ")
    }.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  @Test func `every word is in the reference, which says what its help says`() throws {
    let library = try Self.rows(of: "MoonLibrary")
    let elements = try Self.rows(of: "Elements")
    for word in ScriptLibrary.words where !["moon.log", "moon.nav", "moon.ui"].contains(word.path) {
      let parts = ["moon.nav": ("", library), "moon.ui": ("ui.", elements)][word.owner]
      let name = (parts?.0).map { $0 + word.name } ?? word.path
      let form = try Regex("`\(NSRegularExpression.escapedPattern(for: name))[^a-z_]")
      let rows = (parts?.1 ?? library).filter { $0[0].contains(form) }
      #expect(!rows.isEmpty, "\(word.path)")
      guard parts == nil else { continue }
      let help = word.help.replacing("a routing option: the screen", with: "it")
      #expect(rows.contains { $0[1].hasPrefix(help) }, "\(word.path): \(word.help)")
    }
  }

  @Test func `no word is listed twice`() {
    let paths = ScriptLibrary.words.map(\.path)
    #expect(Set(paths).count == paths.count)
  }

  @Test func `every type of a parameter or result is one that scripts know`() {
    let known: Set = [
      "any", "boolean", "number", "string", "table", "function", "task", "timer",
    ]
    for word in ScriptLibrary.words {
      let types = (word.parameters ?? []).map(\.type) + (word.result.map { [$0] } ?? [])
      for type in types {
        let names = type.split { " |,?".contains($0) }.map(String.init)
        #expect(!names.isEmpty && known.isSuperset(of: names), "\(word.path): \(type)")
      }
    }
  }

  @Test func `a word has its name, what it is in, and its usage`() throws {
    let url = try #require(ScriptLibrary.word("moon.url"))
    #expect(url.name == "url" && url.owner == "moon" && url.usage == "moon.url(name, params)")
    #expect(url.parameters?.map(\.isOptional) == [false, true] && url.result == "string")
    let cancel = try #require(ScriptLibrary.word("task:cancel"))
    #expect(cancel.owner == "task" && cancel.usage == "task:cancel()")
    #expect(ScriptLibrary.word("print")?.owner == "")
  }
}
