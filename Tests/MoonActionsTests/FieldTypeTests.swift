import MoonActions
import MoonValues
import Testing

/// Types of records, lists, maps and enumerations within each other.
struct FieldTypeTests {
  static let card: Value = [
    "id": "integer", "tags": "string[]?", "column": "todo|done",
    "note": ["?": true, "text": "string"], "parts": [["name": "string"]],
    "counts": ["?": true, "[string]": "integer[]"],
  ]

  private func schema() throws -> PayloadSchema {
    PayloadSchema(fields: [try PayloadSchema.Field("card", declared: Self.card)])
  }

  @Test func `a declaration is described as it is written`() throws {
    #expect(
      try schema().fields[0].type.description
        == "{column = todo|done, counts = {[string] = integer[]}?, id = integer, "
        + "note = {text = string}?, parts = {name = string}[], tags = string[]?}")
  }

  @Test(
    arguments: [
      ([:], []), (["tags": ["x", 1]], ["card.tags[2] is 1, and must be a string"]),
      (["column": "later"], [#"card.column is "later", and must be "todo" or "done""#]),
      (["note": ["text": 1]], ["card.note.text is 1, and must be a string"]),
      (["note": "x"], [#"card.note is "x", and must be {text = string}"#]),
      (["note": nil, "tags": nil], []),
      (["parts": [["name": "a"], [:]]], ["'card.parts[2].name' is missing (string)"]),
      (
        ["parts": [["name": "a", "nmae": 1]]],
        ["there is no field 'card.parts[1].nmae'; did you mean 'name'?"]
      ),
      (
        ["counts": ["a": [1], "b c": [2, "x"]]],
        [#"card.counts["b c"][2] is "x", and must be an integer"#]
      ),
      (["counts": [1]], ["card.counts is a list, and must be {[string] = integer[]}"]),
      (["id": nil], ["card.id is null, and must be an integer"]),
    ] as [(Map, [String])])
  func `a problem names the part that is wrong`(changes: Map, problems: [String]) throws {
    var card: Map = ["id": 1, "column": "todo", "parts": .list(List())]
    for (key, value) in changes { card[key] = value }
    #expect(
      try schema().problems(in: ["card": .map(card)]).map(\.description) == problems)
  }

  @Test func `nulls of optional fields are left out at any depth, and others aren't`() throws {
    let card: Value = [
      "id": 1, "column": "todo", "note": nil, "tags": nil, "parts": [["name": nil]],
    ]
    #expect(
      try schema().withoutNulls(["card": card])
        == ["card": ["id": 1, "column": "todo", "parts": [["name": nil]]]])
  }

  @Test(
    arguments: [
      (["a": "int"], ".a", .text("int")), (["a": ["b": 1]], ".a.b", .kind("an integer")),
      (["string", "string"], "", .kind("a list of 2")), (.map(Map()), "", .kind("an empty table")),
      ([["string", "string"]], "[1]", .kind("a list of 2")), (true, "", .kind("a boolean")),
    ] as [(Value, String, FieldTypeError.Found)])
  func `the part of a declaration that is no type is named`(
    declared: Value, path: String, found: FieldTypeError.Found
  ) {
    #expect(throws: FieldTypeError.self) {
      do throws(FieldTypeError) {
        _ = try PayloadSchema.Field("x", declared: declared)
      } catch {
        #expect(error.path == path)
        #expect(error.found == found)
        throw error
      }
    }
  }

  @Test func `types are only so deep`() {
    var declared: Value = "string"
    for _ in 1...40 { declared = [declared] }
    #expect(throws: FieldTypeError.self) { try PayloadSchema.Field("x", declared: declared) }
  }
}
