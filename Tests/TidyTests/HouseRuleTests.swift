import Testing

/// House rules that the compiler doesn't check.
struct HouseRuleTests {
  static let lineCountMax = 400
  static let columnCountMax = 100

  /// The texts that sources must not contain, and what to write instead.
  static let banned: [(text: String, instead: String)] = [
    ("static let shared", "pass the value in"),
    ("try!", "throw or handle"),
    (" as! ", "check, or keep the type"),
    ("fatalError(", "a typed error, or precondition with the broken rule"),
    ("indirect enum", "classes as nodes: this compiler miscompiles copies of indirect cases"),
    ("indirect case", "classes as nodes: this compiler miscompiles copies of indirect cases"),
    ("TODO", "do it, or leave it out"),
    ("FIXME", "mend it"),
  ]
  static let vagueNames = [
    "Util", "Helper", "Manager", "Common", "Misc", "Extensions", "Base.", "Default",
  ]

  @Test(arguments: SourceFile.all(under: "Sources", endings: [".swift", ".c", ".h", ".lua"]))
  func `a file fits in one sitting`(file: SourceFile) {
    #expect(file.lines.count - 1 <= Self.lineCountMax, "\(file.path)")
    for (index, line) in file.lines.enumerated() where line.count > Self.columnCountMax {
      Issue.record("\(file.path):\(index + 1): \(line.count) columns")
    }
  }

  @Test(arguments: SourceFile.all(under: "Sources"))
  func `banned words stay out`(file: SourceFile) {
    for (text, instead) in Self.banned {
      #expect(!file.text.contains(text), "\(file.path): \(text) — use \(instead)")
    }
    for name in Self.vagueNames {
      #expect(!file.path.contains(name), "\(file.path): “\(name)” doesn't say what is inside")
    }
  }

  @Test(arguments: SourceFile.all(under: "Sources"))
  func `unchecked promises come with a proof`(file: SourceFile) {
    let promises = ["@unchecked Sendable", "nonisolated(unsafe)"]
    for (index, line) in file.lines.enumerated() where promises.contains(where: line.contains) {
      let comment = file.lines[..<index].last { line in
        !["@usableFromInline", "@frozen"].contains(line.drop { $0 == " " })
      }
      let above = comment?.drop { $0 == " " } ?? ""
      #expect(
        above.hasPrefix("//") && !above.hasPrefix("///"),
        "\(file.path):\(index + 1): say in a comment why this holds")
    }
  }

  /// The files that say what a program gets with the import of a library product.
  private static let exporting = [
    "Sources/MoonTestKit/TestStore.swift", "Sources/Moonwire/Exports.swift",
  ]

  @Test(arguments: SourceFile.all(under: "Sources"))
  func `one file of a product re-exports`(file: SourceFile) {
    #expect(
      !file.text.contains("@_exported") || Self.exporting.contains(file.path),
      "\(file.path): import where it is used")
  }

  @Test func `a file of tests has a name of its own`() {
    let files = Dictionary(grouping: SourceFile.all(under: "Tests"), by: \.name)
    for (name, paths) in files where paths.count > 1 {
      Issue.record("\(name) is the name of \(paths.map(\.path))")
    }
  }

  @Test(arguments: SourceFile.all(under: "Tests"))
  func `tests wait for events and never sleep`(file: SourceFile) {
    for word in ["Task." + "sleep", "u" + "sleep(", "Thread." + "sleep"] {
      #expect(!file.text.contains(word), "\(file.path): \(word)")
    }
  }

  @Test(arguments: SourceFile.all(under: "Sources", endings: [".swift", ".c", ".h", ".lua"]))
  func `no path of a machine stands in the sources`(file: SourceFile) {
    for folder in ["/home/", "/work/", "/Users/", "/opt/"] {
      #expect(!file.text.contains(folder), "\(file.path): \(folder)")
    }
  }
}
