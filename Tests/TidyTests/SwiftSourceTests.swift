import Testing

/// The parsing of Swift for the rules about types.
struct SwiftSourceTests {
  private func words(_ text: String) -> String {
    SwiftTokens(of: text).all.map(\.text).joined(separator: " ")
  }

  private func declared(_ text: String) -> [SwiftDeclarations.Declaration] {
    SwiftDeclarations(of: SwiftTokens(of: text)).all
  }

  @Test(arguments: [
    ("a // b", "a"), ("a /* b /* c */ d */ e", "a e"), ("a \"b { \\\" // c\" d", "a d"),
    ("\"x \\(y + \"z \\(w)\") v\" u", "y + w u"), ("#\"a \" \\( \\#(b) \"# c", "b c"),
    ("\"\"\"\n a \" b \\(c)\n \"\"\" d", "c d"), ("f(/a { \\/ \"/) b", "f ( ) b"),
    ("a / b / c", "a / b / c"), ("#/ \" { /# a", "a"), ("#if x", "# if x"),
    ("func `a b`()", "func a b ( )"), ("0x1F + é1", "0x1F + é1"),
    ("a('\\\"', '\\'', \"b\") c", "a ( , , ) c"),
  ])
  func `comments, strings and expressions are left out`(text: String, tokens: String) {
    #expect(words(text) == tokens)
  }

  @Test func `a token knows its line`() {
    let tokens = SwiftTokens(of: "a\n/*\n*/ b \"\"\"\n c\n \\(d)\n\"\"\" e").all
    #expect(tokens.map(\.line) == [1, 3, 5, 6])
  }

  @Test func `types, extensions and what they hold are found`() {
    let all = declared(
      """
      public struct A<T>: B where T: C {
        enum D { case class_, e }
        fileprivate final class E {
          struct F {}
        }
        class func g() { struct H {} }
      }
      extension A.D: Sendable {}
      actor I {}
      let k = J.self
      """)
    #expect(
      all.map { "\($0.kind) \($0.name)" } == [
        "struct A", "enum A.D", "class A.E", "struct A.E.F", "struct A.H", "extension A.D",
        "actor I",
      ])
    #expect(all.map(\.isPrivate) == [false, false, true, true, false, false, false])
  }

  @Test func `a type's lines aren't those of the types in it`() {
    let text = "struct A {\n  let a = 1\n\n  struct B {\n    let b = 2\n  }\n}\n"
    #expect(declared(text).map(\.lineCount) == [3, 3])
    let declarations = SwiftDeclarations(of: SwiftTokens(of: text))
    #expect([2, 5, 7].map { declarations.type(at: $0) } == ["A", "A.B", "A"])
    #expect(declarations.type(at: 8) == nil)
  }

  @Test func `comments and blank lines aren't a type's lines`() {
    let text = "/// One.\nstruct A {\n  // Two.\n\n  let a = 1  // three\n  /* four\n  five */\n}\n"
    #expect(declared(text).map(\.lineCount) == [3])
  }

  static let properties: [(text: String, count: Int)] = [
    ("let a: Int", 1), ("let a, b: Int", 2), ("var (a, b) = (1, 2)", 2), ("var a: Int { 1 }", 0),
    ("var a: Int {\n get { 1 } }", 0), ("var a: Int { didSet { b() } }", 1),
    ("var a = { let b = 1; return b }()", 1), ("var a: [String: (Int) -> Void] = [:]", 1),
    ("static let a = 1", 0), ("private(set) static var a = 1", 0),
    ("@exclusivity(unchecked) private(set) var a = 1", 1), ("lazy var a = 1", 1),
    ("func f() { let a = 1 }", 0), ("var a:\n Int\nlet b: Int\nfunc f() {}", 2),
    ("let a: @Sendable (Int) -> Void\nvar b: Int { 1 }", 1), ("case let(Int)", 0),
    ("var a: Int\n  { 1 }", 0),
  ]

  @Test(arguments: properties)
  func `what a value has memory for is counted`(text: String, count: Int) {
    #expect(declared("struct A {\n\(text)\n}").map(\.storedCount) == [count])
  }

  private func circles(_ files: [String: String]) -> [[String]] {
    FileGraph(of: files.map { ParsedFile(SourceFile(path: $0.key, text: $0.value)) }).circles
  }

  @Test func `files that need each other are a circle`() {
    let chain = ["a": "struct A { let b: B }", "b": "struct B { let c: C }", "c": "struct C {}"]
    #expect(circles(chain) == [])
    #expect(
      circles(chain.merging(["c": "struct C { func f(a: A) {} }"]) { $1 }) == [["a", "b", "c"]])
  }

  @Test func `folders whose files need each other's are a circle`() {
    let files = [
      "x/a": "struct A { let b: B }", "x/c": "struct C {}", "x/d": "struct D { let a: A }",
      "y/b": "struct B { let c: C }", "z/e": "struct E { let d: D }",
    ]
    let graph = FileGraph(
      of: files.map { ParsedFile(SourceFile(path: $0.key, text: $0.value)) })
    #expect(graph.circles == [])
    #expect(graph.folders.circles == [["x", "y"]])
  }

  @Test func `a name counts as what it means where it stands`() {
    // Own types, private ones, members and strings aren't dependencies.
    #expect(
      circles([
        "a": "struct A { let b: B }", "b": "struct B { struct A {}; let a: A }",
      ]) == [])
    #expect(circles(["a": "private struct X {}; let b: B", "b": "struct B { let x: X }"]) == [])
    #expect(circles(["a": "struct A { let b: B }", "b": "struct B { let a = c.A + \"A\" }"]) == [])
    // A type nested in an extension belongs to the extension's file.
    #expect(
      circles([
        "a": "struct A { let i: Inner }", "b": "extension A { struct Inner {} }",
      ]) == [["a", "b"]])
    #expect(
      circles([
        "a": "struct A {}", "b": "extension A { struct Inner { let c: C } }",
        "c": "struct C { let i: A.Inner }",
      ]) == [["b", "c"]])
  }

  private func circlesInC(_ files: [String: String]) -> [[String]] {
    FileGraph(ofC: files.map { SourceFile(path: "Sources/C/" + $0.key, text: $0.value) }).circles
  }

  @Test func `a file in C needs what it includes and what it calls`() {
    let files = [
      "a.c": "#include \"a.h\"\nint moon_a(int x,\n           int y) {\n  return moon_b();\n}",
      "a.h": "#include \"b.h\"\nint moon_a(int x, int y);",
      "b.c": "#include \"b.h\"\nint *moon_b(void) { return 0; } /* moon_a */",
      "b.h": "int *moon_b(void);",
    ]
    #expect(circlesInC(files) == [])
    let includes = ["b.h": "#include \"a.h\"\nint *moon_b(void);"]
    #expect(circlesInC(files.merging(includes) { $1 }) == [["a", "b"]])
    let calls = ["b.c": "int *moon_b(void) {\n  moon_a(1, 2);\n}"]
    #expect(circlesInC(files.merging(calls) { $1 }) == [["a", "b"]])
  }

  @Test func `an exception may neither grow nor be forgotten`() {
    let ratchet = Ratchet(unit: "lines", max: 4, exceptions: ["A": 6])
    #expect(ratchet.problems(with: ["A": 6, "B": 4]) == [])
    #expect(ratchet.problems(with: ["A": 7]) == ["A: 7 lines, and may have 6"])
    #expect(ratchet.problems(with: ["A": 5]) == ["A: 5 lines: lower its exception from 6"])
    #expect(ratchet.problems(with: ["A": 4]) == ["A: 4 lines: take it off the exceptions"])
    #expect(ratchet.problems(with: [:]) == ["A: 0 lines: take it off the exceptions"])
    #expect(ratchet.problems(with: ["A": 6, "B": 5]) == ["B: 5 lines, and may have 4"])
  }

  @Test func `a figure stands in the comment above`() {
    let lines = "// 31 ns less.\n@a\nvar b\n\nvar c\n// 5 of them\nvar d".split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect([3, 5, 7].map { InvariantTests.hasFigure(lines, above: $0) } == [true, false, false])
  }
}
