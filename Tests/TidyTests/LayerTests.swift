import Foundation
import Testing

/// The layers of the targets: imports point downwards only.
///
/// Invariant 1: only the shim sees Lua.
struct LayerTests {
  /// The targets, lowest layer first, and the targets of this package that each may import.
  static let layers: [(target: String, imports: Set<String>)] = [
    ("CLua", []),
    ("CMoonLua", ["CLua"]),
    ("CEdit", []),
    ("CMoonEdit", ["CEdit"]),
    ("CCurses", []),
    ("CMoonCurses", ["CCurses", "CMoonEdit"]),
    ("CCurl", []),
    ("CMoonCurl", ["CCurl"]),
    ("CMoonSQLite", []),
    ("CMoonArchive", []),
    ("CMoonGuides", []),
    ("CMoonTemplates", []),
    ("CWslay", []),
    ("CCrypto", []),
    ("MoonValues", []),
    ("MoonLua", ["CMoonLua", "MoonValues"]),
    ("MoonActions", ["MoonValues"]),
    ("MoonFiles", ["CCrypto"]),
    ("MoonTerminal", ["CMoonEdit"]),
    ("MoonRouting", ["MoonValues"]),
    ("MoonNavigation", ["MoonValues"]),
    ("MoonCards", ["MoonValues"]),
    ("MoonServiceKit", ["MoonActions", "MoonValues"]),
    (
      "MoonModules",
      ["MoonActions", "MoonNavigation", "MoonRouting", "MoonServiceKit", "MoonValues"]
    ),
    (
      "MoonFeatures",
      [
        "MoonActions", "MoonModules", "MoonNavigation", "MoonRouting", "MoonServiceKit",
        "MoonValues",
      ]
    ),
    ("MoonTasks", ["MoonActions", "MoonModules", "MoonServiceKit", "MoonValues"]),
    (
      "MoonSession",
      [
        "MoonActions", "MoonCards", "MoonModules", "MoonNavigation", "MoonRouting",
        "MoonServiceKit", "MoonTasks", "MoonValues",
      ]
    ),
    (
      "MoonScripts",
      [
        "MoonActions", "MoonCards", "MoonFiles", "MoonLua", "MoonModules", "MoonNavigation",
        "MoonRouting", "MoonServiceKit", "MoonSession", "MoonTasks", "MoonValues",
      ]
    ),
    (
      "Moonwire",
      [
        "MoonActions", "MoonCards", "MoonFeatures", "MoonFiles", "MoonLua", "MoonModules",
        "MoonNavigation", "MoonRouting", "MoonScripts", "MoonServiceKit", "MoonSession",
        "MoonTasks", "MoonValues",
      ]
    ),
    (
      "MoonServices",
      [
        "CCrypto", "CCurl", "CMoonCurl", "CMoonSQLite", "CWslay", "MoonFiles", "MoonLua",
        "Moonwire",
      ]
    ),
    ("MoonJournal", ["CMoonSQLite", "Moonwire"]),
    ("MoonBuiltIns", ["MoonJournal", "Moonwire"]),
    ("MoonPrompt", ["MoonBuiltIns", "MoonJournal", "MoonServices", "MoonTerminal", "Moonwire"]),
    (
      "MoonTesting",
      ["MoonJournal", "MoonLua", "MoonPrompt", "MoonServices", "MoonTerminal", "Moonwire"]
    ),
    (
      "MoonAuthoring",
      [
        "CMoonArchive", "CMoonTemplates", "MoonPrompt", "MoonServices", "MoonTerminal",
        "MoonTesting", "Moonwire",
      ]
    ),
    ("MoonTestKit", ["Moonwire"]),
    ("MoonLifecycle", ["Moonwire"]),
    ("MoonTelemetry", ["Moonwire"]),
    (
      "MoonProtocol",
      ["MoonAuthoring", "MoonPrompt", "MoonServices", "MoonTerminal", "MoonTesting", "Moonwire"]
    ),
    ("MoonLink", ["MoonFiles", "MoonProtocol", "MoonServices", "Moonwire"]),
    (
      "MoonStage",
      [
        "CMoonCurses", "MoonFiles", "MoonLink", "MoonPrompt", "MoonProtocol", "MoonTerminal",
        "Moonwire",
      ]
    ),
    (
      "MoonCommand",
      [
        "CMoonGuides", "MoonAuthoring", "MoonBuiltIns", "MoonFiles", "MoonJournal", "MoonLink",
        "MoonPrompt", "MoonProtocol", "MoonServices", "MoonStage", "MoonTerminal", "MoonTesting",
        "Moonwire",
      ]
    ),
    (
      "MoonBench",
      [
        "MoonJournal", "MoonLink", "MoonPrompt", "MoonProtocol", "MoonRouting", "MoonServices",
        "MoonValues", "Moonwire",
      ]
    ),
    ("MoonSoak", ["MoonServices", "Moonwire"]),
  ]

  static let allowed = Dictionary(uniqueKeysWithValues: layers.map { ($0.target, $0.imports) })

  @Test(arguments: SourceFile.all(under: "Sources"))
  func `imports follow the layer diagram`(file: SourceFile) throws {
    let allowed = try #require(Self.allowed[file.target], "a target that the diagram lacks")
    let broken = file.imports.intersection(Self.allowed.keys).subtracting(allowed)
    #expect(broken.isEmpty, "\(file.path): \(file.target) may not import \(broken.sorted())")
  }

  @Test func `the diagram points downwards`() {
    var below: Set<String> = []
    for (target, imports) in Self.layers {
      #expect(imports.isSubset(of: below), "\(target) imports what isn't below it")
      below.insert(target)
    }
  }

  @Test func `the manifest declares the diagram and nothing beyond it`() throws {
    let url = SourceFile.root.appending(path: "Package.swift")
    let manifest = try String(contentsOf: url, encoding: .utf8)
    // One piece per target: from its "arget(" or ".systemLibrary(" to the next.
    let pieces = manifest.replacing(".systemLibrary(", with: ".target(").split(separator: "arget(")
    for (target, imports) in Self.layers {
      let declaration = try #require(
        pieces.first { $0.drop { " \n".contains($0) }.hasPrefix("name: \"\(target)\"") },
        "\(target) isn't in Package.swift")
      for other in Self.layers.map(\.target) where other != target {
        #expect(
          declaration.contains("\"\(other)\"") == imports.contains(other),
          "Package.swift and the diagram disagree on whether \(target) depends on \(other)")
      }
    }
  }

  @Test(arguments: SourceFile.all(under: "Sources", endings: [".swift", ".c", ".h"]))
  func `only the shim includes Lua's headers`(file: SourceFile) {
    guard !["CLua", "CMoonLua"].contains(file.target) else { return }
    for header in ["<lua.h>", "<lauxlib.h>", "<lualib.h>", "import CLua\n"] {
      #expect(!file.text.contains(header), "\(file.path) reaches around CMoonLua")
    }
  }

  @Test func `no files of the shim need each other`() {
    let files = SourceFile.all(under: "Sources/CMoonLua", endings: [".c", ".h"])
    #expect(FileGraph(ofC: files).circles == [])
  }

  @Test func `the shim's public header shows no Lua state`() throws {
    let header = try #require(
      SourceFile.all(under: "Sources/CMoonLua/include", endings: [".h"]).first)
    #expect(!header.text.contains("#include <lua"))
    #expect(!header.text.contains("lua_State *"))
  }
}
