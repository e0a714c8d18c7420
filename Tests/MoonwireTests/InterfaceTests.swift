import MoonCards
import Moonwire
import Testing

/// The constructors of `moon.ui`, as modules call them.
struct InterfaceTests {
  /// Returns the state of a module that stores values made with `moon.ui`.
  private static func state(_ text: String) async throws -> Value? {
    let bench = try await Bench([
      "m.lua": "local ui = require 'moonwire'.ui\nreturn { state = { is = \(text) } }"
    ])
    return try await bench.state("m.is")
  }

  @Test func `a screen made of constructors is a card without warnings`() async throws {
    let body = try #require(
      try await Self.state(
        """
        {
          ui.heading("Shopping"),
          ui.text("Things to buy", { subtle = true, max_lines = 2 }),
          ui.rich { "All is ", { "well", color = "good" }, { text = "!", weight = "bolder" } },
          ui.list({ "Milk", "Bread", "" }, function(name, i)
            if name == "" then return nil end
            return ui.container { name, select = ui.open(name, "/item/" .. i) }
          end),
          ui.row { ui.column { "left", width = "stretch" }, "right", ui.button("Go", "go") },
          ui.facts { { "Name", "Max" }, { "Age", 3 }, { "Nice", true } },
          ui.table { { "Fruit", "Price" }, { "Apple", 1.5 }, { ui.text("Pear"), 2 },
            header = true, columns = { "left", "right" } },
          ui.image("https://example.com/cat.png", { alt = "A cat" }),
          ui.container { "Careful", style = "warning", id = "careful", visible = false },
          ui.input { id = "name", label = "Name", required = true, max_length = 9 },
          ui.number { id = "age", label = "Age", min = 0 },
          ui.toggle { id = "done", title = "Done", value = true },
          ui.choice { id = "size", choices = { "S", "M" }, value = "M" },
          ui.choice { id = "tags", multiple = true,
            choices = { { "Home", 1 }, { title = "Away", value = false } } },
          ui.date { id = "day" }, ui.time { id = "hour" },
          ui.actions { ui.button("Add", "shop/add", { by = 1 }), ui.submit("Save"),
            ui.submit("Send", "send", nil, { disabled = true }) },
          ui.button("Settings", "/settings"), ui.button("Web", "https://example.com"),
          ui.toggle_visibility("More", "careful"), ui.toggle_visibility("All", { "careful" }),
        }
        """))
    let card = try Card(body)
    #expect(card.warnings == [])
    #expect(
      card.lines(width: 50).map(\.text).joined(separator: "\n") == """
        Shopping
        Things to buy
        All is well!

        [1] Milk
        [2] Bread
        left                                 right  [3] Go

        Name  Max
        Age   3
        Nice  true

        Fruit  Price
        ─────  ─────
        Apple    1.5
        Pear       2

        (image: A cat)

        Name*  [__________]
        Age    [__________] from 0
        [x] Done
        size   [M]
               S · M
        tags   [__________]
               Home · Away
        day    [YYYY-MM-DD]
        hour   [HH:MM]

        [4] Add  [5] Save  [-] Send
        [6] Settings  [7] Web  [8] More  [9] All
        """)
    let filled: Map = ["name": "Max", "tags": [1]]
    #expect(
      try card.outcome(of: try #require(card.control(numbered: 4)), inputs: filled)
        == .execute(
          verb: "shop/add",
          payload: ["by": 1, "name": "Max", "done": true, "size": "M", "tags": [1]]))
    #expect(
      try card.outcome(of: try #require(card.control(numbered: 6))) == .open(url: "/settings"))
  }

  @Test(arguments: [
    "ui.container {}", "ui.row {}", "ui.facts {}", "ui.table {}", "ui.actions {}", "ui.rich {}",
    "ui.list({}, function() end)",
  ])
  func `empty ones show nothing`(call: String) async throws {
    let card = try Card(try #require(try await Self.state("{ \(call) }")))
    #expect(card.lines(width: 20).isEmpty)
    #expect(card.warnings.isEmpty)
  }

  static let conditional: [(call: String, shown: [String])] = [
    ("ui.container { 'x', nil, 'y' }", ["x", "y"]), ("ui.container { nil, false, 'y' }", ["y"]),
    ("{ type = 'Container', items = { 'x', nil, false, 'y' } }", ["x", "y"]),
    ("ui.row { nil, 'x', false, 'y' }", ["x  y"]),
    (
      "ui.actions { ui.open('a', '/a'), nil, ui.open('b', '/b'), false }",
      ["[1] a  [2] b"]
    ),
    (
      "{ type = 'ActionSet', actions = { false, ui.open('a', '/a'), nil, ui.open('b', '/b') } }",
      ["[1] a  [2] b"]
    ),
    ("ui.menu('m', { false, ui.open('a', '/a'), nil, ui.open('b', '/b') })", ["[1] m ▾"]),
    ("ui.menu('m', {})", []),
    ("ui.facts { nil, { 'a', 1 }, false, { 'b', 2 } }", ["a  1", "b  2"]),
    ("ui.chart { nil, { 'a', 1 }, false, 2 }", ["a  ███████ 1", "   ██████████████ 2"]),
    ("ui.chart { 1, 5, nil, 9, line = true }", ["▁▅█ 1 to 9"]),
    ("ui.rich { 'a', nil, { 'b' }, false, 'c' }", ["abc"]),
    ("ui.table { { 'a', nil, 'c' }, nil, { 'd', 'e' } }", ["a     c", "d  e"]),
    (
      "{ type = 'Table', firstRowAsHeader = false, rows = { { cells = {"
        + " { items = { 'a' } }, nil, { items = { 'c' } } } }, false } }",
      ["a    c"]
    ),
    ("ui.list({ 1, 2, 3 }, function(n) return n ~= 2 and 'n' .. n end)", ["n1", "n3"]),
    (
      "ui.choice { id = 'x', choices = { nil, 'S', false, 'M' } }", ["x  [__________]", "   S · M"]
    ),
    ("ui.when(true, 'x', 'y')", ["x"]), ("ui.when(nil, 'x', function() return 'y' end)", ["y"]),
    ("ui.container { ui.when(false, function() error('no') end), 'z' }", ["z"]),
  ]

  @Test(arguments: conditional)
  func `nil and false stand for nothing, and what follows is shown`(
    call: String, shown: [String]
  ) async throws {
    let card = try Card(try #require(try await Self.state("{ \(call) }")))
    #expect(card.lines(width: 20).map { $0.text.replacing(/\s+$/, with: "") } == shown)
    #expect(card.warnings.isEmpty)
  }

  static let wrongCalls: [(String, String)] = [
    (
      "ui.chart { { 'a' } }",
      "ui.chart takes figures, or pairs of a title and a figure, but value 1 is none: "
        + "{ \"Mon\", 3 }"
    ),
    ("ui.text(5)", "ui.text takes a string, not a number"),
    ("ui.text()", "ui.text takes a string, not nothing"),
    ("ui.text('x', 'large')", "ui.text takes its options as a table, not as a string"),
    ("ui.heading({})", "ui.heading takes a string, not a table"),
    ("ui.rich 'x'", "ui.rich takes a table of strings and runs, not a string"),
    ("ui.rich { 5 }", "ui.rich takes strings and runs, but value 1 is a number"),
    ("ui.rich { {} }", "ui.rich: run 1 has no text: { \"text\", color = \"good\" }"),
    ("ui.image()", "ui.image takes a URL, not nothing"),
    ("ui.container('x')", "ui.container takes a table of elements, not a string"),
    ("ui.container { 'x', 5 }", "ui.container takes elements, but value 2 is a number"),
    ("ui.container { { a = 1 } }", "ui.container takes elements, but value 1 is a table"),
    (
      "ui.container { 'x', { 'y', { 5 } } }",
      "ui.container takes elements, but value 2.2.1 is a number"
    ),
    ("ui.column(5)", "ui.column takes a table of elements, not a number"),
    ("ui.column { true }", "ui.column takes elements, but value 1 is a boolean"),
    ("ui.container { nil, 'x', 5 }", "ui.container takes elements, but value 3 is a number"),
    ("ui.actions { nil, 'x' }", "ui.actions takes actions such as ui.button, but value 2 is none"),
    (
      "ui.when(true, function() return 5 end)",
      "ui.when takes elements, or functions that return one, but got a number"
    ),
    ("ui.row { 5 }", "ui.row takes columns and elements, but value 1 is a number"),
    (
      "ui.facts { 'x' }",
      "ui.facts takes pairs of texts or numbers, but value 1 is none: { \"Name\", \"Max\" }"
    ),
    ("ui.table { 'x' }", "ui.table takes rows, which are tables, but value 1 is a string"),
    (
      "ui.table { { 'x', {} } }",
      "ui.table: cell 2 of row 1 is a table, not a text, number or element"
    ),
    (
      "ui.list({}, 'x')",
      "ui.list takes a function that makes an element of an item, not a string"
    ),
    ("ui.list(true)", "ui.list takes a table of items, not a boolean"),
    (
      "ui.list({ 1 }, function(n) return n end)",
      "ui.list: the function must return an element, but for item 1 it returned a number"
    ),
    ("ui.actions { 'x' }", "ui.actions takes actions such as ui.button, but value 1 is none"),
    (
      "ui.actions { ui.text('x') }",
      "ui.actions takes actions such as ui.button, but value 1 is none"
    ),
    ("ui.menu('m', { 'x' })", "ui.menu takes actions such as ui.button, but value 1 is none"),
    ("ui.menu({})", "ui.menu takes a title first, which is a string, not a table"),
    ("ui.menu('m')", "ui.menu takes a table of actions second, not nothing"),
    (
      "ui.editor {}",
      "ui.editor takes a table with an id: ui.editor { id = \"name\", label = \"Name\" }"
    ),
    ("ui.button()", "ui.button takes a title first, which is a string, not nothing"),
    ("ui.button('x')", "ui.button takes an action's type or a URL second, not nothing"),
    ("ui.open('x', 5)", "ui.open takes a URL second, which is a string, not a number"),
    ("ui.submit(5)", "ui.submit takes a title first, which is a string, not a number"),
    ("ui.submit('x', 5)", "ui.submit takes an action's type second, not a number"),
    (
      "ui.toggle_visibility('x')",
      "ui.toggle_visibility takes an id, or a table of ids, not nothing"
    ),
    (
      "ui.input {}",
      "ui.input takes a table with an id: ui.input { id = \"name\", label = \"Name\" }"
    ),
    (
      "ui.time 'x'",
      "ui.time takes a table with an id: ui.time { id = \"name\", label = \"Name\" }"
    ),
    (
      "ui.toggle()",
      "ui.toggle takes a table with an id: ui.toggle { id = \"done\", title = \"Done\" }"
    ),
    (
      "ui.choice { id = 'x' }",
      "ui.choice takes a table with an id and choices: "
        + "ui.choice { id = \"size\", choices = { \"S\", \"M\" } }"
    ),
    (
      "ui.choice { id = 'x', choices = { {} } }",
      "ui.choice: choice 1 is neither a value nor a pair of a title and a value"
    ),
  ]

  /// One module makes all the calls; the result is the message of each.
  @Test func `a wrong argument is an error of the line that gave it`() async throws {
    let calls = Self.wrongCalls.map { "function()\nlocal x = \($0.0)\nreturn x end" }
    let state = try await Self.state(
      """
      (function(...)
        local messages = {}
        for i, call in ipairs { ... } do messages[i] = select(2, pcall(call)) end
        return messages
      end)(\(calls.joined(separator: ",\n")))
      """)
    let messages = try #require(state?.listValue).map(\.stringValue)
    // Each call is on the second of its three lines.
    let first = 7
    for (index, (call, message)) in Self.wrongCalls.enumerated() {
      #expect(messages[index] == "m.lua:\(first + 3 * index): \(message)", "\(call)")
    }
  }
}
