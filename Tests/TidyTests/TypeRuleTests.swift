import Testing

/// Rules about types and targets that span files.
struct TypeRuleTests {
  /// The lines of code of a type with all its extensions, without its nested types.
  static let lines = Ratchet(
    unit: "lines", max: 400,
    exceptions: [
      "CardReader": 454, "Host": 444,
    ])
  /// The number of stored properties of a type.
  static let properties = Ratchet(
    unit: "stored properties", max: 14,
    // A command has its options.
    exceptions: [
      "HostOptions": 22, "Module": 29, "ReplaySubcommand": 16, "RunSubcommand": 19,
      "ServeSubcommand": 15,
      "TrieBuild": 16,
    ])
  /// The number of files of a target that all reach each other.
  static let circles = Ratchet(
    unit: "files in a circle", max: 8,
    exceptions: ["MoonRouting": 10, "MoonValues": 15])
  /// The number of folders of a target that all reach each other.
  static let folderCircles = Ratchet(
    unit: "folders in a circle", max: 0,
    exceptions: [
      "MoonCards": 4, "MoonScripts": 10, "MoonServices": 3, "MoonSession": 9, "MoonValues": 3,
      "Moonwire": 2,
    ])

  static let targets = Dictionary(grouping: ParsedFile.sources, by: \.source.target)

  /// Returns a figure for each type; of types with the same name in two targets, the larger.
  private static func figures(
    _ figure: (SwiftDeclarations.Declaration) -> Int
  ) -> [String: Int] {
    var figures: [String: Int] = [:]
    for files in targets.values {
      let own = Dictionary(grouping: files.flatMap(\.declarations.all), by: \.name)
      for (name, parts) in own {
        figures[name] = max(figures[name] ?? 0, parts.reduce(0) { $0 + figure($1) })
      }
    }
    return figures
  }

  @Test func `a type is short, however many files it is in`() {
    #expect(Self.lines.problems(with: Self.figures(\.lineCount)) == [])
  }

  @Test func `a type has few properties`() {
    #expect(Self.properties.problems(with: Self.figures(\.storedCount)) == [])
  }

  /// The public declarations that `import Moonwire` may show, which may only become fewer.
  ///
  /// `scripts/api` lists those that have changed.
  static let publicCountMax = 1_029

  @Test func `what a program sees is small`() throws {
    let exports = try #require(ParsedFile.sources.first { $0.source.name == "Exports.swift" })
    let shown = exports.source.imports.union(["Moonwire"])
    let files = ParsedFile.sources.filter { shown.contains($0.source.target) }
    let count = files.reduce(0) { sum, file in
      sum
        + zip(file.tokens, file.tokens.dropFirst()).count { word, next in
          word.text == "public" && next.text != "import"
        }
    }
    #expect(count > 500)
    #expect(count <= Self.publicCountMax, "what only the package's own targets use is `package`")
  }

  @Test func `few files of a target need each other`() {
    let figures = Self.targets.mapValues { FileGraph(of: $0).circles.first?.count ?? 0 }
    #expect(Self.circles.problems(with: figures) == [])
  }

  @Test func `no two folders of a target need each other`() {
    let figures = Self.targets.mapValues { FileGraph(of: $0).folders.circles.first?.count ?? 0 }
    #expect(Self.folderCircles.problems(with: figures) == [])
  }
}
