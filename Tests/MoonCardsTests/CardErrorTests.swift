import MoonCards
import MoonValues
import Testing

struct CardErrorTests {
  /// A body with one wrong part, and the description of the problem.
  static let cases: [(Value, String)] = [
    ([7], "body[1]: must be an element"),
    ([[7]], "body[1][1]: must be an element"),
    ([["x", [["a": 1]]]], "body[1][2][1].type: is missing"),
    ([["text": "x"]], "body[1].type: is missing"),
    ([["type": ""]], "body[1].type: must not be empty"),
    ([["type": 7]], "body[1].type: must be a text"),
    (["type": "TextBlock"], "body.text: is missing"),
    ([container(["a", ["type": "TextBlock"]])], "body[1].items[2].text: is missing"),
    ([["type": "TextBlock", "text": 7]], "body[1].text: must be a text"),
    ([text("x", ("wrap", "yes"))], "body[1].wrap: must be a boolean"),
    ([text("x", ("maxLines", 0))], "body[1].maxLines: must be a positive integer"),
    ([text("x", ("maxLines", 1.5))], "body[1].maxLines: must be a positive integer"),
    (
      [text("x", ("horizontalAlignment", "middle"))],
      "body[1].horizontalAlignment: unknown word \"middle\", it must be one of left, center, right"
    ),
    ([text("x", ("isVisible", 1))], "body[1].isVisible: must be a boolean"),
    ([text("x", ("id", ""))], "body[1].id: must not be empty"),
    (
      [text("x", ("id", "a")), container([text("y", ("id", "a"))])],
      "body[2].items[1].id: the id \"a\" is taken by body[1]"
    ),
    (
      [text("x", ("id", "a")), execute("A", "a", ("id", "a"))],
      "body[2].id: the id \"a\" is taken by body[1]"
    ),
    (
      [["type": "Input.Date", "id": "a"], ["type": "Input.Time", "id": "a"]],
      "body[2].id: the id \"a\" is taken by body[1]"
    ),
    ([["type": "RichTextBlock"]], "body[1].inlines: is missing"),
    ([["type": "RichTextBlock", "inlines": "x"]], "body[1].inlines: must be a list"),
    ([["type": "RichTextBlock", "inlines": [7]]], "body[1].inlines[1]: must be an element"),
    (
      [["type": "RichTextBlock", "inlines": [["type": "Run", "text": "x"]]]],
      "body[1].inlines[1].type: unknown word \"Run\", it must be one of TextRun"
    ),
    ([["type": "RichTextBlock", "inlines": [[:]]]], "body[1].inlines[1].text: is missing"),
    ([["type": "Image"]], "body[1].url: is missing"),
    (
      [["type": "Input.Text", "id": "a", "valueChangedAction": "x"]],
      "body[1].valueChangedAction: must be an action"
    ),
    (
      [["type": "Input.Text", "id": "a", "valueChangedAction": ["type": "Action.Execute"]]],
      "body[1].valueChangedAction.verb: is missing"
    ),
    (
      [
        [
          "type": "Input.Text", "id": "a",
          "valueChangedAction": ["type": "Action.OpenUrl", "url": "/x"],
        ]
      ],
      "body[1].valueChangedAction: must be an action with a verb"
    ),
    ([["type": "Image", "url": ""]], "body[1].url: must not be empty"),
    ([["type": "Container", "items": "x"]], "body[1].items: must be a list"),
    (
      [container([], ("style", "loud"))],
      "body[1].style: unknown word \"loud\", it must be one of default, emphasis, good, attention, "
        + "warning, accent"
    ),
    ([["type": "ColumnSet", "columns": ["x"]]], "body[1].columns[1]: must be an element"),
    (
      [["type": "ColumnSet", "columns": [["width": "wide"]]]],
      "body[1].columns[1].width: must be a column width"
    ),
    (
      [["type": "ColumnSet", "columns": [["width": -1]]]],
      "body[1].columns[1].width: must be a column width"
    ),
    ([["type": "FactSet"]], "body[1].facts: is missing"),
    ([["type": "ProgressBar", "max": 0]], "body[1].max: must be a positive number"),
    ([["type": "ProgressBar", "value": "x"]], "body[1].value: must be a number"),
    ([["type": "FactSet", "facts": [["a", "b"]]]], "body[1].facts[1]: must be a map"),
    ([["type": "FactSet", "facts": [["title": "a"]]]], "body[1].facts[1].value: is missing"),
    ([["type": "Table", "rows": ["x"]]], "body[1].rows[1]: must be a map"),
    ([["type": "Table", "columns": ["x"]]], "body[1].columns[1]: must be a map"),
    (
      [["type": "Table", "rows": [["cells": [["items": [7]]]]]]],
      "body[1].rows[1].cells[1].items[1]: must be an element"
    ),
    ([["type": "ActionSet"]], "body[1].actions: is missing"),
    ([["type": "ActionSet", "actions": ["x"]]], "body[1].actions[1]: must be an action"),
    ([["type": "Action.OpenUrl", "title": "x"]], "body[1].url: is missing"),
    ([["type": "Action.OpenUrl", "url": "/x"]], "body[1].title: is missing"),
    ([open("", "/x")], "body[1].title: must not be empty"),
    ([["type": "Action.Execute", "title": "x"]], "body[1].verb: is missing"),
    ([["type": "Action.Submit", "title": "x", "verb": 7]], "body[1].verb: must be a text"),
    (
      [execute("x", "y", ("associatedInputs", "all"))],
      "body[1].associatedInputs: unknown word \"all\", it must be one of auto, none"
    ),
    (
      [["type": "Action.ToggleVisibility", "title": "x"]], "body[1].targetElements: is missing"
    ),
    (
      [["type": "Action.ToggleVisibility", "title": "x", "targetElements": [["id": "x"]]]],
      "body[1].targetElements[1].elementId: is missing"
    ),
    ([container([], ("selectAction", "x"))], "body[1].selectAction: must be an action"),
    ([container([], ("selectAction", [:]))], "body[1].selectAction.type: is missing"),
    ([["type": "Input.Text"]], "body[1].id: is missing"),
    (
      [["type": "Input.Text", "id": "a", "maxLength": -1]],
      "body[1].maxLength: must be a positive integer"
    ),
    (
      [["type": "Input.Number", "id": "a", "min": 3, "max": 2]], "body[1].min: is above the max"
    ),
    ([["type": "Input.Number", "id": "a", "value": "3"]], "body[1].value: must be a number"),
    (
      [["type": "Input.Number", "id": "a", "max": .double(.infinity)]],
      "body[1].max: must be a number"
    ),
    ([["type": "Input.Toggle", "id": "a"]], "body[1].title: is missing"),
    (
      [["type": "Input.Toggle", "id": "a", "title": "A", "value": "perhaps"]],
      "body[1].value: \"perhaps\" is none of the choices"
    ),
    ([["type": "Input.ChoiceSet", "id": "a"]], "body[1].choices: is missing"),
    (
      [["type": "Input.ChoiceSet", "id": "a", "choices": [["title": "A"]]]],
      "body[1].choices[1].value: is missing"
    ),
    (
      [
        [
          "type": "Input.ChoiceSet", "id": "a",
          "choices": [["title": "A", "value": 1], ["title": "B", "value": 1]],
        ]
      ], "body[1].choices[2]: another choice has the same value"
    ),
    (
      [
        [
          "type": "Input.ChoiceSet", "id": "a", "value": 2,
          "choices": [["title": "A", "value": 1]],
        ]
      ], "body[1].value: \"2\" is none of the choices"
    ),
    (
      [["type": "Input.Date", "id": "a", "value": "2025-02-29"]], "body[1].value: must be a date"
    ),
    ([["type": "Input.Time", "id": "a", "min": "24:00"]], "body[1].min: must be a time"),
    (
      [["type": "Input.Date", "id": "a", "min": "2026-01-02", "max": "2026-01-01"]],
      "body[1].min: is above the max"
    ),
    ([text("x", ("requires", "1.5"))], "body[1].requires: must be a map"),
    (
      [text("x", ("requires", ["adaptiveCards": "new"]))],
      "body[1].requires.adaptiveCards: must be a version"
    ),
    (
      ["type": "AdaptiveCard", "body": [["type": "Image"]]], "body.body[1].url: is missing"
    ),
    (["type": "AdaptiveCard", "actions": [7]], "body.actions[1]: must be an action"),
  ]

  @Test(arguments: cases)
  func `a wrong part costs itself only, is marked, and is warned of once`(
    body: Value, description: String
  ) throws {
    let card = try Card(body, at: Path([.key("body")]))
    #expect(card.warnings.map(\.description) == [description])
    let shown = card.lines(width: 60).map(\.text)
    #expect(shown.isEmpty || shown.contains { $0.contains("(!)") || $0.contains("can't be shown") })
    guard case .list(let elements) = body else { return }
    let whole = try lines(.list(List(["above"] + elements + ["below"])))
    #expect(whole.first == "above" && whole.last == "below")
  }

  static let drawn: [(Value, [String])] = [
    (
      [
        "type": "Input.ChoiceSet", "id": "city", "value": "Oslo",
        "choices": [["title": "Rome", "value": "Rome"]],
      ], ["city  [__________] (!)", "      Rome"]
    ),
    (
      [
        "type": "Input.ChoiceSet", "id": "a", "value": "x, y", "isMultiSelect": true,
        "choices": [["title": "X", "value": "x"], ["title": "Z", "value": "x"]],
      ], ["a  [X] (!)", "   X"]
    ),
    (text("x", ("color", "loud")), ["x (!)"]),
    (execute("", "save", ("iconUrl", "/x.png")), ["[1] save (!)"]),
    (["type": "Action.Execute", "title": "Save"], ["[-] Save (!)"]),
    (["type": "TextBlock"], ["(TextBlock can't be shown)"]),
    (["type": "Action.OpenUrl"], ["[-] Action.OpenUrl (!)"]),
    (container(["x", 7, "y"]), ["x", "(element can't be shown)", "y"]),
    (["type": "FactSet", "facts": [["title": "a"]]], ["a (!)"]),
  ]

  @Test(arguments: drawn)
  func `the rest of an element is drawn as it would be without the wrong part`(
    element: Value, shown: [String]
  ) throws {
    #expect(try lines([element]) == shown)
  }

  @Test func `a control that lacks something can't be used, and the others can`() throws {
    let card = try Card([
      ["type": "Action.Execute", "title": "Wrong"], execute("Right", "right"),
    ])
    #expect(card.controls.map(\.title) == ["Right"])
  }

  @Test func `the second of two inputs with one id isn't an input`() throws {
    let input: Value = ["type": "Input.Text", "id": "a"]
    let card = try Card([input, input])
    #expect(card.inputs.count == 1)
    #expect(card.lines(width: 40).map(\.text).last == "(Input.Text can't be shown)")
  }

  @Test func `what isn't a list of elements is no body`() {
    #expect(cardError(7)?.description == "body: must be a list")
    #expect(cardError([1: "a", "x": "b"])?.description == "body: must be a list")
  }

  @Test func `the place is below the path that was given`() throws {
    let path = try Path(parsing: "main.screens[2].body")
    #expect(try Card([7], at: path).warnings.map(\.path) == [path.appending(.index(1))])
    #expect(try Card([7]).warnings.map(\.description) == ["[1]: must be an element"])
  }

  @Test func `nesting has a limit`() throws {
    func nested(_ depth: Int) -> Value {
      // Each container adds a map and a list; the body's own list is one more.
      depth == 0 ? [] : [["type": "Container", "items": nested(depth - 1)]]
    }
    _ = try Card(nested((Card.depthMax - 1) / 2))
    let error = cardError(nested(Card.depthMax / 2))
    guard case .limitExceeded(.depth, Card.depthMax, let path)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path.components.count == Card.depthMax + 1)
  }

  @Test func `parts and texts have limits`() throws {
    let many = Value.list(List(Array(repeating: Value("x"), count: Card.partCountMax)))
    _ = try Card(many)
    var more = Array(repeating: Value("x"), count: Card.partCountMax)
    more.append("x")
    #expect(
      cardError(.list(List(more)))
        == .limitExceeded(
          .parts, max: Card.partCountMax,
          Path([.key("body"), .index(Int64(Card.partCountMax) + 1)])))

    let long = String(repeating: "x", count: Card.textBytesMax)
    _ = try Card([text(long)])
    #expect(
      cardError([text(long + "x")])?.description
        == "body[1].text: more than \(Card.textBytesMax) bytes in a text")
    let whole = Array(repeating: Value.string(Text(long)), count: 4)
    _ = try Card(.list(List(whole)))
    #expect(
      cardError(.list(List(whole + ["x"])))?.description
        == "body[5]: more than \(Card.cardBytesMax) bytes in all texts")
  }
}
