import Foundation
import Testing

/// The documents name only things that exist.
struct DocumentTests {
  private static func text(of path: String) throws -> String {
    try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
  }

  @Test func `every file and folder that the map names is there`() throws {
    let all = SourceFile.all(under: "Sources", endings: [".swift", ".c", ".h", ".lua"])
    let names = try Self.text(of: "Sources/README.md").matches(of: /`([\w\/]+(\.(swift|c))?)`/)
      .map { String($0.1) }
    let files = names.filter { $0.contains(".") || $0.contains("/") }
    #expect(files.count > 20)
    for name in files where !name.hasPrefix("scripts/") && !name.hasPrefix("Tests/") {
      #expect(
        all.contains { $0.path.hasSuffix("/\(name)") || $0.path.contains("/\(name)/") },
        "Sources/README.md names \(name)")
    }
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
}
