import MoonCards
import MoonValues
import Testing

struct CardReadingTests {
  static let bodies: [(Value, [String])] = [
    ([], []), ([:], []), ("Hi", ["Hi"]), (["Hi", "there"], ["Hi", "there"]),
    (["type": "TextBlock", "text": "Hi"], ["Hi"]), (open("Go", "/"), ["[1] Go"]),
    (["type": "Container"], []), (["type": "Container", "items": [:]], []),
    (["type": "Column", "items": ["Hi"]], ["Hi"]),
    (["type": "ColumnSet"], []), (["type": "Table"], []),
    (["type": "ActionSet", "actions": [:]], []),
    (["type": "FactSet", "facts": [:]], []),
    (["type": "RichTextBlock", "inlines": ["a", "b"]], ["ab"]),
    (text("x", ("id", nil), ("wrap", nil)), ["x"]),
    (text("x", ("horizontalAlignment", "CENTER"), ("color", "Good")), ["         x"]),
    (["a", ["b", [], ["c", false]], [:], [2: "d"]], ["a", "b", "c", "d"]),
    (["type": "Container", "items": [["a"], "b"]], ["a", "b"]),
    ([[open("A", "/a")], open("B", "/b")], ["[1] A  [2] B"]),
    (
      ["type": "ActionSet", "actions": [[open("A", "/a"), false], open("B", "/b")]],
      ["[1] A  [2] B"]
    ),
    (
      ["type": "ImageSet", "images": [["type": "Image", "url": "/x", "altText": "x"]]],
      ["(image: x)"]
    ),
    (
      ["type": "Media", "altText": "Film", "sources": [["mimeType": "video/mp4", "url": "/f"]]],
      ["[1] (image: Film)"]
    ),
    ([false, "Hi", nil], ["Hi"]), ([2: "Hi", 7: "there"], ["Hi", "there"]),
    (["type": "Container", "items": [2: "Hi", 3: false]], ["Hi"]),
    (
      [
        "type": "AdaptiveCard", "version": "1.5", "body": ["Hi"], "actions": [open("Go", "/")],
      ], ["Hi", "", "[1] Go"]
    ),
  ]

  @Test(arguments: bodies)
  func `what passes for a body`(body: Value, shown: [String]) throws {
    let card = try Card(body)
    #expect(card.lines(width: 20).map(\.text) == shown)
    #expect(card.warnings.isEmpty)
  }

  @Test func `without a body, nothing is shown and a warning says so`() throws {
    let card = try Card(nil, at: Path([.key("body")]))
    #expect(card.lines(width: 20).isEmpty)
    #expect(card.warnings == [.noBody(Path([.key("body")]))])
  }

  @Test func `neighbouring actions share a line`() throws {
    #expect(
      try lines([open("A", "/a"), open("B", "/b"), "text", open("C", "/c")])
        == ["[1] A  [2] B", "", "text", "", "[3] C"])
  }

  static let unknown: [(Value, [String], [String])] = [
    (
      ["type": "Model"], ["(Model can't be shown)"],
      ["body[1]: unknown element \"Model\""]
    ),
    (["type": "Model", "fallback": "drop"], [], ["body[1]: unknown element \"Model\""]),
    (["type": "Model", "fallback": "x"], ["x"], ["body[1]: unknown element \"Model\""]),
    (
      ["type": "Model", "fallback": ["type": "Image", "url": "/x", "altText": "x"]],
      ["(image: x)"], ["body[1]: unknown element \"Model\""]
    ),
    (
      ["type": "A", "fallback": ["type": "B"]], ["(B can't be shown)"],
      ["body[1]: unknown element \"A\"", "body[1].fallback: unknown element \"B\""]
    ),
    (
      text("x", ("requires", ["blinking": "1"]), ("fallback", "calm")), ["calm"],
      ["body[1].requires.blinking: requires \"blinking\", which isn't there"]
    ),
    (
      text("x", ("requires", ["adaptiveCards": "1.6"])), ["(TextBlock can't be shown)"],
      ["body[1].requires.adaptiveCards: requires \"adaptiveCards\", which isn't there"]
    ),
    (text("x", ("requires", ["adaptiveCards": "1.5.0"])), ["x"], []),
    (text("x", ("requires", ["adaptiveCards": "*"])), ["x"], []),
    (
      ["type": "Action.ShowCard", "title": "More"], ["[-] More (!)"],
      ["body[1].card: is missing"]
    ),
    (
      container(["x"], ("selectAction", ["type": "Action.ShowCard", "card": ["y"]])), ["x"],
      ["body[1].selectAction: unknown action \"Action.ShowCard\""]
    ),
    (
      ["type": "Media", "sources": [:]], ["(Media can't be shown)"],
      ["body[1].sources: must not be empty"]
    ),
    (
      ["type": "Action.Talk", "title": "More"], ["(More)"],
      ["body[1]: unknown action \"Action.Talk\""]
    ),
    (
      ["type": "Action.Talk", "title": "More", "fallback": open("All", "/all")], ["[1] All"],
      ["body[1]: unknown action \"Action.Talk\""]
    ),
    (
      ["type": "Action.Talk", "title": "More", "fallback": "drop"], [],
      ["body[1]: unknown action \"Action.Talk\""]
    ),
    (
      container(["x"], ("selectAction", ["type": "Action.Talk"])), ["x"],
      ["body[1].selectAction: unknown action \"Action.Talk\""]
    ),
    (
      ["type": "ColumnSet", "columns": [["type": "Tab"], ["items": ["x"]]]],
      ["(Tab can't be        x", "shown)"], ["body[1].columns[1]: unknown element \"Tab\""]
    ),
    (text("x", ("colour", "good")), ["x"], ["body[1].colour: unknown field"]),
    (text("x", ("type", "TextBlock"), (7, "good")), ["x"], ["body[1][7]: unknown field"]),
    (
      [
        "type": "Action.ToggleVisibility", "title": "x",
        "targetElements": ["a", ["elementId": "b"]],
      ], ["[1] x"],
      [
        "body[1].targetElements[1]: no element has the id \"a\"",
        "body[1].targetElements[2].elementId: no element has the id \"b\"",
      ]
    ),
  ]

  @Test(arguments: unknown)
  func `what isn't known is replaced and warned of`(
    element: Value, shown: [String], warnings: [String]
  ) throws {
    let card = try Card([element], at: Path([.key("body")]))
    #expect(card.lines(width: 40).map(\.text) == shown)
    #expect(card.warnings.map(\.description) == warnings)
  }

  @Test func `a warning of a field says which ones are known`() throws {
    let card = try Card([text("x", ("colour", "good"))])
    guard case .unknownField(_, let known)? = card.warnings.first else {
      Issue.record("no warning")
      return
    }
    #expect(known.contains("color") && known.contains("text") && known.contains("isVisible"))
    #expect(!known.contains("colour"))
  }

  @Test func `cards are equal when they are read from equal bodies`() throws {
    #expect(try Card(SnapshotTests.form) == Card(SnapshotTests.form))
    #expect(try Card(SnapshotTests.form) != Card(SnapshotTests.list))
  }
}
