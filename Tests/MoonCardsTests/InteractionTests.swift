import MoonCards
import MoonTestSupport
import MoonValues
import Testing

struct InteractionTests {
  private static func outcome(
    _ action: Value, with inputs: [Value] = [], filled: Map = Map()
  ) throws -> CardOutcome {
    let card = try Card(.list(List(inputs + [action])))
    return try card.outcome(of: try #require(card.controls.first), inputs: filled)
  }

  private static let name: Value = ["type": "Input.Text", "id": "name", "value": "Max"]
  private static let age: Value = ["type": "Input.Number", "id": "age"]
  private static let done: Value = ["type": "Input.Toggle", "id": "done", "title": "Done"]

  @Test func `each kind of action has its outcome`() throws {
    #expect(try Self.outcome(open("Go", "/go")) == .open(url: "/go"))
    #expect(
      try Self.outcome(execute("Add", "add", ("data", ["by": 2])))
        == .execute(verb: "add", payload: ["by": 2]))
    #expect(
      try Self.outcome(["type": "Action.Submit", "title": "OK"])
        == .submit(verb: nil, payload: [:]))
    #expect(
      try Self.outcome(["type": "Action.Submit", "title": "OK", "verb": "save"])
        == .submit(verb: "save", payload: [:]))
    #expect(
      try Self.outcome([
        "type": "Action.ToggleVisibility", "title": "x",
        "targetElements": ["a", ["elementId": "b", "isVisible": false]],
      ])
        == .toggleVisibility([
          CardVisibilityChange(id: "a", isVisible: nil),
          CardVisibilityChange(id: "b", isVisible: false),
        ]))
  }

  static let payloads: [(Value?, Map, Map)] = [
    (Value?.none, Map(), ["name": "Max", "done": false]),
    (["by": 2], Map(), ["by": 2, "name": "Max", "done": false]),
    (["name": "Eve", "age": 1], Map(), ["name": "Max", "age": 1, "done": false]),
    ("x", Map(), ["data": "x", "name": "Max", "done": false]),
    ([1, 2], Map(), ["data": [1, 2], "name": "Max", "done": false]),
    (
      Value?.none, ["name": "Eve", "age": 3, "done": true], ["name": "Eve", "age": 3, "done": true]
    ),
    (Value?.none, ["name": nil, "other": 1], ["done": false]),
    (Value?.none, ["name": "", "age": 2.5], ["age": 2.5, "done": false]),
  ]

  @Test(arguments: payloads)
  func `a payload is data and what was filled in`(data: Value?, filled: Map, payload: Map) throws {
    let action = data.map { execute("Add", "add", ("data", $0)) } ?? execute("Add", "add")
    #expect(
      try Self.outcome(action, with: [Self.name, Self.age, Self.done], filled: filled)
        == .execute(verb: "add", payload: .map(payload)))
  }

  @Test func `inputs are left out where the action says so, right or wrong`() throws {
    let action = execute("Add", "add", ("associatedInputs", "none"), ("data", ["by": 1]))
    let needed: Value = ["type": "Input.Text", "id": "x", "isRequired": true]
    #expect(
      try Self.outcome(action, with: [needed]) == .execute(verb: "add", payload: ["by": 1]))
  }

  @Test func `hidden inputs take no part`() throws {
    let hidden: Value = [
      "type": "Container", "isVisible": false,
      "items": [["type": "Input.Text", "id": "x", "isRequired": true]],
    ]
    #expect(
      try Self.outcome(execute("Add", "add"), with: [hidden], filled: ["x": "y"])
        == .execute(verb: "add", payload: [:]))
  }

  static let choices: Value = [
    ["title": "Red", "value": "r"], ["title": "Green", "value": 2],
    ["title": "No", "value": false],
  ]
  /// An input, the typed text, and the expected value or problem.
  static let typed: [(Value, Text, Value, String?)] = [
    (["type": "Input.Text"], "", nil, nil),
    (["type": "Input.Text"], " a b ", " a b ", nil),
    (["type": "Input.Text", "maxLength": 3], "äöü", "äöü", nil),
    (["type": "Input.Text", "maxLength": 3], "four", nil, "must have at most 3 characters"),
    (["type": "Input.Number"], " 12 ", 12, nil),
    (["type": "Input.Number"], "-3", -3, nil),
    (["type": "Input.Number"], "1.0", 1.0, nil),
    (["type": "Input.Number"], "1e3", 1000.0, nil),
    (["type": "Input.Number"], "9223372036854775808", 9_223_372_036_854_775_808.0, nil),
    (["type": "Input.Number"], "", nil, nil),
    (["type": "Input.Number"], "0x10", nil, "must be a number"),
    (["type": "Input.Number"], "nan", nil, "must be a number"),
    (["type": "Input.Number"], "1e999", nil, "must be a number"),
    (["type": "Input.Number"], "two", nil, "must be a number"),
    (["type": "Input.Number", "min": 1], "0", nil, "must be at least 1"),
    (["type": "Input.Number", "max": 1.5], "2", nil, "must be at most 1.5"),
    (["type": "Input.Number", "min": 1, "max": 1], "1", 1, nil),
    (["type": "Input.Toggle", "title": "t"], "yes", true, nil),
    (["type": "Input.Toggle", "title": "t"], "OFF", false, nil),
    (["type": "Input.Toggle", "title": "t"], "perhaps", nil, "must be yes or no"),
    (["type": "Input.Toggle", "title": "t", "valueOn": "1", "valueOff": "0"], "true", "1", nil),
    (["type": "Input.Toggle", "title": "t", "valueOn": "no", "valueOff": "yes"], "no", "no", nil),
    (["type": "Input.ChoiceSet", "choices": choices], "Red", "r", nil),
    (["type": "Input.ChoiceSet", "choices": choices], "green", 2, nil),
    (["type": "Input.ChoiceSet", "choices": choices], "2", 2, nil),
    (["type": "Input.ChoiceSet", "choices": choices], "false", false, nil),
    (["type": "Input.ChoiceSet", "choices": choices], "", nil, nil),
    (
      ["type": "Input.ChoiceSet", "choices": choices], "Blue", nil,
      "must be one of Red, Green, No"
    ),
    (
      ["type": "Input.ChoiceSet", "choices": choices, "isMultiSelect": true], "red, 2,red",
      ["r", 2], nil
    ),
    (
      ["type": "Input.ChoiceSet", "choices": choices, "isMultiSelect": true], "red, blue", nil,
      "must be one of Red, Green, No"
    ),
    (["type": "Input.Date"], "2024-02-29", "2024-02-29", nil),
    (["type": "Input.Date"], "2100-02-29", nil, "must be a date such as 2026-01-31"),
    (["type": "Input.Date"], "2026-1-31", nil, "must be a date such as 2026-01-31"),
    (["type": "Input.Date"], "2026-13-01", nil, "must be a date such as 2026-01-31"),
    (["type": "Input.Date"], "2026-04-31", nil, "must be a date such as 2026-01-31"),
    (
      ["type": "Input.Date", "min": "2026-01-02"], "2026-01-01", nil, "must be at least 2026-01-02"
    ),
    (["type": "Input.Time"], "23:59", "23:59", nil),
    (["type": "Input.Time"], "24:00", nil, "must be a time such as 23:59"),
    (["type": "Input.Time"], "12:60", nil, "must be a time such as 23:59"),
    (["type": "Input.Time", "max": "12:00"], "12:01", nil, "must be at most 12:00"),
  ]

  @Test(arguments: typed)
  func `what people type becomes a value`(
    input: Value, typed: Text, value: Value, wrong: String?
  ) throws {
    var fields = try #require(input.mapValue)
    fields["id"] = "x"
    fields["label"] = "Field"
    fields["errorMessage"] = "Please!"
    let card = try Card([.map(fields), execute("Go", "go")])
    guard let wrong else {
      #expect(try card.value(ofInput: "x", typed: typed) == value)
      // A payload accepts the value that was typed.
      let outcome = try card.outcome(of: card.controls[0], inputs: ["x": value])
      guard case .execute(_, let payload) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      if value != Value.null { #expect(payload["x"] == value) }
      return
    }
    let error = failure { () throws(CardInputError) in
      try card.value(ofInput: "x", typed: typed)
    }
    #expect(error?.description == "Field " + wrong)
    #expect(error?.input == "x")
    #expect(error?.message == "Please!")
  }

  static let refused: [(Value, Value, CardInputError.Reason)] = [
    (["type": "Input.Text"], 7, .notAText),
    (["type": "Input.Number"], "7", .notANumber),
    (["type": "Input.Number"], .double(.infinity), .notANumber),
    (["type": "Input.Toggle", "title": "t"], 1, .notAToggle),
    (
      ["type": "Input.ChoiceSet", "choices": choices], "x",
      .notAChoice(given: "x", titles: ["Red", "Green", "No"])
    ),
    (
      ["type": "Input.ChoiceSet", "choices": choices], ["r"],
      .notAChoice(given: "[\"r\"]", titles: ["Red", "Green", "No"])
    ),
    (["type": "Input.Date"], 2026, .notADate),
    (["type": "Input.Time"], "noon", .notATime),
    (["type": "Input.Text", "isRequired": true], nil, .missing),
    (["type": "Input.Text", "isRequired": true, "value": "x"], nil, .missing),
    (["type": "Input.Toggle", "title": "t", "isRequired": true], false, .missing),
    (
      ["type": "Input.ChoiceSet", "choices": choices, "isMultiSelect": true, "isRequired": true],
      [], .missing
    ),
  ]

  @Test(arguments: refused)
  func `a payload refuses what an input doesn't take`(
    input: Value, value: Value, reason: CardInputError.Reason
  ) throws {
    var fields = try #require(input.mapValue)
    fields["id"] = "x"
    let card = try Card([.map(fields), execute("Go", "go")])
    let error = failure { () throws(CardInputError) in
      try card.outcome(of: card.controls[0], inputs: ["x": value])
    }
    #expect(error?.reason == reason)
    #expect(error?.input == "x")
  }

  @Test func `an input that isn't there takes nothing`() throws {
    let card = try Card([["type": "Input.Text", "id": "x", "isVisible": false]])
    let error = failure { () throws(CardInputError) in
      try card.value(ofInput: "x", typed: "y")
    }
    #expect(error?.reason == .unknownInput)
  }

  @Test func `controls are found by number, id and title`() throws {
    let card = try Card([
      execute("Delete", "delete", ("id", "first")), execute("Delete", "delete"),
      execute("first", "x"), execute("delete all", "all"),
    ])
    #expect(card.controls.map(\.number) == [1, 2, 3, 4])
    #expect(card.control(numbered: 4)?.title == "delete all")
    #expect(card.control(numbered: 0) == nil)
    #expect(card.control(numbered: 5) == nil)
    #expect(card.control(numbered: .min) == nil)
    #expect(card.controls(named: "first").map(\.number) == [1])
    #expect(card.controls(named: "Delete").map(\.number) == [1, 2])
    #expect(card.controls(named: "DELETE ALL").map(\.number) == [4])
    #expect(card.controls(named: "nothing").isEmpty)
  }

  @Test func `elements that can be selected are controls, called by what they show`() throws {
    let go = open("", "/go")
    let card = try Card([
      container(
        [text("hidden", ("isVisible", false)), "shown"], ("selectAction", go)),
      container([], ("selectAction", go)),
      container(["x"], ("selectAction", open("Titled", "/go"))),
      ["type": "Image", "url": "/x", "altText": "A cat", "selectAction": go],
      container(
        ["x"], ("selectAction", execute("Off", "off", ("isEnabled", false)))),
    ])
    #expect(card.controls.map(\.title) == ["shown", "/go", "Titled", "A cat"])
  }

  @Test func `what can't be done has no number`() throws {
    let card = try Card([
      execute("Off", "off", ("id", "off"), ("isEnabled", false)), execute("On", "on"),
      ["type": "Action.Talk", "id": "show", "title": "Show"],
    ])
    #expect(card.controls.map(\.title) == ["On"])
    #expect(card.controls(named: "off").isEmpty)
    #expect(card.lines(width: 40).map(\.text) == ["[-] Off  [1] On  (Show)"])
  }

  @Test func `hidden controls have no number`() throws {
    let card = try Card([
      execute("A", "a"),
      container([execute("B", "b")], ("id", "box"), ("isVisible", false)),
      [
        "type": "Action.ToggleVisibility", "title": "More", "targetElements": ["box", "nothing"],
      ],
    ])
    #expect(card.controls.map(\.title) == ["A", "More"])
    let outcome = try card.outcome(of: card.controls[1])
    guard case .toggleVisibility(let changes) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let visibility = card.visibility(after: changes)
    #expect(visibility == ["box": true])
    let open = card.applying(visibility: visibility)
    #expect(open.controls.map(\.title) == ["A", "B", "More"])
    #expect(open.visibility(after: changes) == ["box": false])
    #expect(open.applying(visibility: [:]) == card)
    #expect(open.visibility(after: changes + changes) == ["box": true])
    let hide = [CardVisibilityChange(id: "box", isVisible: false)]
    #expect(card.visibility(after: hide) == ["box": false])
  }

  private static func show(_ title: Value, _ items: Value...) -> Value {
    [
      "type": "Action.ShowCard", "title": title,
      "card": ["type": "AdaptiveCard", "body": .list(List(items))],
    ]
  }

  @Test(arguments: [true, false])
  func `of the cards that a set of actions shows, one is seen at a time`(isSet: Bool) throws {
    let actions: [Value] = [
      Self.show("Name", Self.name, execute("Save", "save")),
      Self.show("Age", Self.age, Self.show("More", "deep")), open("Go", "/go"),
    ]
    var card = try Card(
      isSet ? ["type": "ActionSet", "actions": .list(List(actions))] : .list(List(actions)))
    func tap(_ title: Text) throws {
      let outcome = try card.outcome(of: try #require(card.controls(named: title).first))
      guard case .toggleVisibility(let changes) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      card = card.applying(visibility: card.visibility(after: changes))
    }
    let closed = card
    #expect(card.controls.map(\.title) == ["Name", "Age", "Go"] && card.inputs.isEmpty)
    try tap("Name")
    #expect(card.controls.map(\.title) == ["Name", "Age", "Go", "Save"])
    #expect(
      try card.outcome(of: card.controls[3]) == .execute(verb: "save", payload: ["name": "Max"]))
    try tap("Age")
    #expect(card.inputs.map(\.id) == ["age"])
    try tap("More")
    #expect(card.lines(width: 30).contains { $0.text.contains("deep") } && card.warnings.isEmpty)
    try tap("Age")
    #expect(card.controls == closed.controls && card.inputs.isEmpty)
  }

  private static func secondary(_ title: Text, _ verb: Text) -> Value {
    [
      "type": "Action.Execute", "title": .string(title), "verb": .string(verb),
      "mode": "secondary",
    ]
  }

  @Test func `the actions of a menu are used in it and beside it`() throws {
    let card = try Card([
      "type": "ActionSet", "title": "Sort",
      "actions": [
        Self.secondary("By name", "name"), execute("Add", "add"), Self.secondary("By age", "age"),
      ],
    ])
    #expect(card.warnings.isEmpty)
    #expect(card.lines(width: 40).map(\.text) == ["[1] Add  [2] Sort ▾"])
    #expect(card.controls.map(\.title) == ["Add", "Sort", "By name", "By age"])
    let menu = try #require(card.controls(named: "sort").first)
    #expect(menu.opensMenu && card.controls(inMenuOf: menu).map(\.number) == [3, 4])
    #expect(!card.controls[0].opensMenu && card.controls(inMenuOf: card.controls[0]) == [])
    let byAge = try #require(card.control(numbered: 4))
    #expect(try card.outcome(of: byAge) == .execute(verb: "age", payload: [:]))

    guard case .toggleVisibility(let changes) = try card.outcome(of: menu) else {
      Issue.record("a menu is shown and hidden")
      return
    }
    let open = card.applying(visibility: card.visibility(after: changes))
    #expect(
      open.lines(width: 40).map(\.text)
        == ["[1] Add  [2] Sort ▾", "[3] By name  [4] By age"])
    #expect(open.controls == card.controls)
    let closed = open.applying(visibility: open.visibility(after: changes))
    #expect(closed.lines(width: 40) == card.lines(width: 40))
  }

  @Test func `a menu without a title has one, and one that is hidden has no controls`() throws {
    let actions: Value = [execute("Add", "add"), Self.secondary("Remove", "remove")]
    let card = try Card(["type": "AdaptiveCard", "body": ["x"], "actions": actions])
    #expect(card.controls.map(\.title) == ["Add", "More", "Remove"])
    let hidden = try Card(["type": "Container", "isVisible": false, "items": actions])
    #expect(hidden.controls.isEmpty)
    let wrong = try Card([["type": "Action.Submit", "title": "Go", "mode": "third"]])
    #expect(wrong.controls.map(\.title) == ["Go"] && wrong.warnings.count == 1)
  }
}
