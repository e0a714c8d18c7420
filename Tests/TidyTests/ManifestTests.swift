import Foundation
import Testing

/// `Package.swift` declares for each target what it imports, and nothing else.
struct ManifestTests {
  /// A target in Swift, with what it declares.
  struct Target: Sendable, CustomTestStringConvertible {
    let name: String
    let folder: String
    let dependencies: Set<String>
    var testDescription: String { name }
  }

  /// The modules that come with Swift.
  private static let builtIn: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing",
  ]
  /// The programs, which tests may depend on in order to run them.
  private static let programs: Set<String> = [
    "EmbeddingExample", "MoonCommand", "TodoExample", "VisperExample",
  ]

  static let targets: [Target] = {
    let url = SourceFile.root.appending(path: "Package.swift")
    guard let manifest = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    return manifest.split(separator: /[a-zA-Z]arget\(/).dropFirst().compactMap { declaration in
      guard let name = declaration.firstMatch(of: /name: "(\w+)"/)?.1 else { return nil }
      let list = declaration.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
      let names = list.replacing(/package: "[^"]*"/, with: "").matches(of: /"([^"]+)"/)
      let path = declaration.firstMatch(of: /path: "([^"]+)"/)?.1
      return Target(
        name: String(name),
        folder: path.map { String($0) } ?? (name.hasSuffix("Tests") ? "Tests/" : "Sources/") + name,
        dependencies: Set(names.map { String($0.1) }))
    }.filter { !SourceFile.all(under: $0.folder).isEmpty }
  }()

  @Test func `the manifest's targets are found`() {
    #expect(Self.targets.count > 30)
    #expect(Self.targets.contains { $0.name == "MoonSession" && $0.dependencies.count > 5 })
  }

  @Test(arguments: targets)
  func `a target declares what it imports`(target: Target) {
    let imports = SourceFile.all(under: target.folder).reduce(into: Set<String>()) {
      $0.formUnion($1.imports)
    }.subtracting(Self.builtIn)
    // A file may name its own module to tell its names from others'.
    let undeclared = imports.subtracting(target.dependencies).subtracting([target.name])
    #expect(undeclared.isEmpty, "\(target.name) imports \(undeclared.sorted()) undeclared")
    let needless = target.dependencies.subtracting(imports).subtracting(Self.programs)
    #expect(needless.isEmpty, "\(target.name) declares \(needless.sorted()) and imports none")
  }
}
