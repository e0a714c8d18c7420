import MoonActions
import MoonValues
import Testing

struct PayloadSchemaTests {
  private func field(_ name: String, _ type: String) throws -> PayloadSchema.Field {
    try #require(PayloadSchema.Field(name: name, type: type))
  }

  @Test(arguments: [
    ("integer", "integer", false), ("integer?", "integer", true), ("string[]", "string[]", false),
    ("string|integer?", "string|integer", true), ("table", "map", false),
    ("bool", "boolean", false),
    ("any", "any", false), ("list|map", "list|map", false), ("number[]?", "number[]", true),
    ("string[][]", "string[][]", false), ("todo|done?", "todo|done", true),
    ("'list'|\"grid\"", "'list'|grid", false), ("'x'|integer", "x|integer", false),
  ])
  func `a type is read`(text: String, normal: String, isOptional: Bool) throws {
    let field = try field("x", text)
    #expect(field.type.description == normal)
    #expect(field.isOptional == isOptional)
  }

  @Test(arguments: [
    "", "?", "int", "Integer", "integer??", "string|", "|", "a b", "[]", "todo",
    "todo|", "todo|integer", "strng|integr", "strings|done", "a|b c",
  ])
  func `what isn't a type is refused`(text: String) {
    #expect(PayloadSchema.Field(name: "x", type: text) == nil)
  }

  @Test(
    arguments: [
      ("integer", Value.int(1), true), ("integer", .double(1), false), ("integer", "1", false),
      ("number", .int(1), true), ("number", .double(1.5), true), ("number", true, false),
      ("boolean", true, true), ("boolean", nil, false), ("string", "", true), ("string", 1, false),
      ("list", [1, "a"], true), ("list", ["a": 1], false), ("list", .map(Map()), true),
      ("map", ["a": 1], true), ("map", .list(List()), true), ("map", [1], false),
      ("any", nil, false), ("any?", nil, true), ("any", [1], true), ("any[]", [1, nil], true),
      ("string[]", ["a", "b"], true),
      ("string[]", .map(Map()), true), ("string[]", "a", false),
      ("string|integer", 1, true), ("string|integer", "a", true), ("string|integer", 1.5, false),
      ("integer?", nil, true), ("integer?", "a", false),
      ("todo|done", "done", true), ("todo|done", "don", false), ("todo|done", 1, false),
      ("integer[][]", [[1], []], true), ("integer[][]", "x", false),
    ] as [(String, Value, Bool)])
  func `a field accepts what its type says`(type: String, value: Value, isAccepted: Bool) throws {
    let field = try field("x", type)
    let schema = PayloadSchema(fields: [field])
    #expect(
      schema.problems(in: ["x": value]) == (isAccepted ? [] : [.wrongType(field, value)]))
  }

  @Test func `all problems are told, missing and wrong ones by name, then unknown ones`() throws {
    let title = try field("title", "string")
    let by = try field("by", "integer")
    let schema = PayloadSchema(fields: [title, by, try field("note", "string?")])
    #expect(
      schema.problems(in: ["by": "x", "titel": "a", "zzz": 1]) == [
        .wrongType(by, "x"), .missing(title), .unknown("titel", nearest: "title"),
        .unknown("zzz", nearest: nil),
      ])
  }

  @Test func `only so many problems are told, whatever there are`() throws {
    let by = try field("by", "integer")
    let entries = (1...2_000).map { (Key.string(Text("k\($0)")), Value.int(1)) }
    let problems = PayloadSchema(fields: [by]).problems(in: .map(Map(entries)))
    #expect(problems.count == PayloadSchema.problemCountMax)
    #expect(problems.first == .missing(by))
    let many = try (1...100).map { try field("f\($0)", "string") }
    #expect(
      PayloadSchema(fields: many).problems(in: nil).count == PayloadSchema.problemCountMax)
  }

  @Test func `of several fields with one name the first counts`() throws {
    let by = try field("by", "integer")
    let schema = PayloadSchema(fields: [by, try field("by", "string")])
    #expect(schema.fields == [by])
    #expect(schema.problems(in: ["by": 1, "x": 1]) == [.unknown("x", nearest: nil)])
  }

  @Test func `names are told apart by their bytes`() throws {
    let schema = PayloadSchema(fields: [try field("\u{E9}", "integer?")])
    #expect(
      schema.problems(in: ["e\u{301}": 1]) == [.unknown("e\u{301}", nearest: nil)])
  }

  @Test func `no payload is one without fields`() throws {
    let by = try field("by", "integer")
    #expect(PayloadSchema(fields: [by]).problems(in: nil) == [.missing(by)])
    #expect(PayloadSchema(fields: [try field("by", "integer?")]).problems(in: nil).isEmpty)
    #expect(PayloadSchema(fields: []).problems(in: .list(List())).isEmpty)
  }

  @Test(arguments: [Value.int(1), "by", true, [1]])
  func `a payload that isn't a table with fields is told as such`(payload: Value) {
    #expect(PayloadSchema(fields: []).problems(in: payload) == [.notFields(payload)])
  }

  @Test func `an integer key is no field of the same text`() throws {
    let schema = PayloadSchema(fields: [try field("1", "any?")])
    #expect(schema.problems(in: .map([1: "a"])) == [.unknown("[1]", nearest: nil)])
  }

  @Test func `each payload has as many problems as it has fields that are wrong`() throws {
    let schema = PayloadSchema(
      fields: [
        try field("a", "integer?"), try field("b", "integer"), try field("c", "integer?"),
        try field("d", "integer"),
      ])
    // Each of the fields and an unknown one is right, wrong, or absent.
    for number in 0..<243 {
      var payload = Map()
      var problemCount = 0
      for (index, name) in (["a", "b", "c", "d", "e"] as [Text]).enumerated() {
        let state = [0, 1, 2][number / [1, 3, 9, 27, 81][index] % 3]
        if state > 0 { payload[.string(name)] = state == 1 ? .int(1) : "x" }
        let isRight = name == "e" ? state == 0 : state == 1 || state == 0 && index % 2 == 0
        if !isRight { problemCount += 1 }
      }
      #expect(schema.problems(in: .map(payload)).count == problemCount, "\(payload)")
    }
  }

  @Test func `an optional field may be null, another may not`() throws {
    let by = try field("by", "integer")
    #expect(PayloadSchema(fields: [by]).problems(in: ["by": nil]) == [.wrongType(by, nil)])
    #expect(PayloadSchema(fields: [try field("by", "integer?")]).problems(in: ["by": nil]).isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `very many fields are checked, and so many problems told`()
    throws
  {
    let names = (0..<30_000).map { "field\($0)" }
    let schema = PayloadSchema(fields: try names.map { try field($0, "integer?") })
    let fitting = Map(names.map { (Key.string(Text($0)), Value.int(1)) })
    #expect(schema.problems(in: .map(fitting)) == [])
    let strange = Map(names.map { (Key.string(Text("x" + $0)), Value.int(1)) })
    #expect(schema.problems(in: .map(strange)).count == PayloadSchema.problemCountMax)
  }
}
