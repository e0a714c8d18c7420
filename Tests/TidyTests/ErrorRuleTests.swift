import Testing

/// Rules about errors that embedding programs see.
struct ErrorRuleTests {
  /// The targets of programs, whose errors no other code catches.
  static let programs: Set = ["MoonBench", "MoonCommand", "MoonPrompt", "MoonSoak", "MoonTesting"]

  static let texts = SourceFile.all(under: "Sources").filter { !programs.contains($0.target) }

  /// The names of all public types that conform to `Error`.
  static let errors: [String] = texts.flatMap { file in
    file.text.contains("Error")
      ? file.text.matches(of: /public (?:enum|struct) (\w+):[^{]*\bError\b/).map { String($0.1) }
      : []
  }

  /// The last names of all types that describe themselves.
  static let described: Set<String> = Set(
    texts.flatMap { file in
      file.text.contains("CustomStringConvertible")
        ? file.text.matches(
          of: /(?:enum|struct|extension) (?:\w+\.)*(\w+):[^{]*\bCustomStringConvertible\b/
        ).map { String($0.1) } : []
    })

  @Test func `public errors are found`() {
    #expect(Self.errors.count >= 20)
    #expect(Self.errors.contains("DispatchError"))
  }

  @Test func `every public error describes itself`() {
    #expect(Self.errors.filter { !Self.described.contains($0) } == [])
  }
}
