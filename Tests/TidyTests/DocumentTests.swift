import Foundation
import Testing

/// The documents name only things that exist.
struct DocumentTests {
  private static func text(of path: String) throws -> String {
    try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
  }

  @Test func `every file and folder that the map names is there`() throws {
    let all = SourceFile.all(under: "Sources", endings: [".swift", ".c", ".h", ".lua"])
    let names = try Self.text(of: "Sources/README.md").matches(of: /`([\w\/]+(\.(swift|c|lua))?)`/)
      .map { String($0.1) }
    let files = names.filter { $0.contains(".") || $0.contains("/") }
    #expect(files.count > 20)
    for name in files where !name.hasPrefix("scripts/") && !name.hasPrefix("Tests/") {
      #expect(
        all.contains { $0.path.hasSuffix("/\(name)") || $0.path.contains("/\(name)/") },
        "Sources/README.md names \(name)")
    }
    for name in files where name.hasPrefix("scripts/") || name.hasPrefix("Tests/") {
      #expect(
        FileManager.default.fileExists(atPath: SourceFile.root.appending(path: name).path),
        "Sources/README.md names \(name)")
    }
  }

  @Test func `every suite that the map names is there`() throws {
    let suites = SourceFile.all(under: "Tests").reduce(into: Set<String>()) { suites, file in
      suites.formUnion(file.text.matches(of: /(?:struct|class) (\w+Tests)\b/).map { String($0.1) })
    }
    let text = try Self.text(of: "Sources/README.md")
    let named = text.matches(of: /\(`(\w+Tests)`/).map { String($0.1) }
    #expect(named.count > 8)
    for name in named { #expect(suites.contains(name), "Sources/README.md names \(name)") }
  }

  @Test func `the map has every stage`() throws {
    let map = try Self.text(of: "Sources/README.md")
    let stages = SourceFile.all(under: "Sources/MoonSession/Stages").map {
      $0.path.split(separator: "/").last ?? ""
    }
    #expect(stages.count >= 8)
    for stage in stages { #expect(map.contains("`\(stage)`"), "\(stage)") }
  }

  @Test func `the map has every target`() throws {
    let rows = try Self.text(of: "Sources/README.md").split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    for target in LayerTests.layers.map(\.target) {
      #expect(rows.count { $0.contains("`\(target)`") } == 1, "\(target)")
    }
  }

  /// An invariant of the map, with the suites that it names.
  private struct Invariant {
    let number: Int
    let suites: [String]
  }

  private static func invariants() throws -> [Invariant] {
    let chapters = try text(of: "Sources/README.md").split(separator: "\n## ")
    let chapter = try #require(chapters.first { $0.hasPrefix("Invariants\n") })
    return chapter.matches(of: /\n(\d+)\. ((?:.|\n(?!\d+\. ))*)/).map { found in
      let list = found.2.matches(of: /\(([\w, \n]+Tests)\)/).last?.1 ?? ""
      return Invariant(
        number: Int(found.1) ?? 0,
        suites: list.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
  }

  /// Returns the numbers of the invariants that the documentation comments of suites name.
  private static func namedInvariants() -> [String: Set<Int>] {
    var named: [String: Set<Int>] = [:]
    for file in SourceFile.all(under: "Tests") {
      var comment: Set<Int> = []
      for line in file.lines where !line.hasPrefix("@") || line.contains("struct ") {
        // A regular expression takes long, and there are very many lines.
        if line.hasPrefix("///") {
          guard line.hasPrefix("/// Invariant "),
            let found = line.firstMatch(of: /^\/\/\/ Invariant (\d+): \S/)
          else { continue }
          comment.insert(Int(found.1) ?? 0)
        } else {
          defer { comment = [] }
          guard line.utf8.last == UInt8(ascii: "{"), line.contains("Tests"),
            let found = line.firstMatch(of: /(?:struct|class) (\w+Tests)\b/)
          else { continue }
          named[String(found.1), default: []].formUnion(comment)
        }
      }
    }
    return named
  }

  @Test func `every invariant names suites, and they name it`() throws {
    let invariants = try Self.invariants()
    #expect(invariants.map(\.number) == Array(1...invariants.count) && invariants.count >= 17)
    let named = Self.namedInvariants()
    for invariant in invariants {
      #expect(!invariant.suites.isEmpty, "\(invariant.number) names no suite")
      for suite in invariant.suites {
        let numbers = try #require(named[suite], "\(invariant.number): there is no suite \(suite)")
        #expect(
          numbers.contains(invariant.number),
          "\(suite) doesn't say `Invariant \(invariant.number): …` above its declaration")
      }
    }
    for (suite, numbers) in named {
      let citing = invariants.filter { $0.suites.contains(suite) }.map(\.number)
      #expect(
        numbers.subtracting(citing).isEmpty,
        "\(suite) names \(numbers.sorted()), and the map has it for \(citing)")
    }
  }
}
