import MoonCards
import MoonValues
import Testing

/// Complete screens as people see them.
struct SnapshotTests {
  static let counter: Value = [
    heading("Counter"),
    "Count: 3",
    execute("Add", "add", ("data", ["by": 1])), execute("Reset", "reset"),
    open("Settings", "/settings"),
  ]

  static let profile: Value = [
    heading("Profile"),
    [
      "type": "FactSet",
      "facts": [
        ["title": "Name", "value": "Max Mustermann"],
        ["title": "Lives in", "value": "A small town near the sea, where it rains a lot"],
        ["title": "日本語", "value": "はい"],
      ],
    ],
    container(["Only 3 % of the disk is free", "Delete something"], ("style", "attention")),
    [
      "type": "Table",
      "columns": [["width": 1], ["width": 1, "horizontalCellContentAlignment": "right"]],
      "rows": [
        ["cells": [["items": ["Fruit"]], ["items": ["Price"]]]],
        ["cells": [["items": ["Apples 🍎"]], ["items": ["1.20"]]]],
        ["cells": [["items": ["Watermelons"]], ["items": ["12.00"]]]],
      ],
    ],
  ]

  static let form: Value = [
    heading("New task"),
    ["type": "Input.Text", "id": "title", "label": "Title", "isRequired": true],
    [
      "type": "Input.Text", "id": "note", "label": "Note", "placeholder": "what to do",
    ],
    ["type": "Input.Text", "id": "pin", "label": "PIN", "style": "password", "value": "1234"],
    ["type": "Input.Number", "id": "count", "label": "Count", "min": 1, "max": 9, "value": 2],
    ["type": "Input.Date", "id": "due", "label": "Due"],
    ["type": "Input.Toggle", "id": "urgent", "title": "Urgent", "value": "true"],
    [
      "type": "Input.ChoiceSet", "id": "size", "label": "Size", "value": "m",
      "choices": [
        ["title": "Small", "value": "s"], ["title": "Medium", "value": "m"],
        ["title": "Large", "value": "l"],
      ],
    ],
    [
      "type": "Input.ChoiceSet", "id": "tags", "label": "Tags", "style": "expanded",
      "isMultiSelect": true, "value": "a,c",
      "choices": [
        ["title": "At home", "value": "a"], ["title": "On the road", "value": "b"],
        ["title": "With others", "value": "c"],
      ],
    ],
    execute("Save", "save"), open("Cancel", "/back"),
  ]

  static let list: Value = [
    heading("Shopping"),
    container([
      container(
        ["Milk", text("2 litres", ("isSubtle", true))], ("selectAction", open("", "/item/1"))),
      container(
        ["Bread", text("from the baker", ("isSubtle", true))],
        ("selectAction", open("", "/item/2"))),
    ]),
    [
      "type": "ColumnSet",
      "columns": [
        [
          "width": "auto",
          "items": [heading("Left"), "Some words that stand at the left", execute("Go", "go")],
        ],
        ["width": "stretch", "items": ["Others stand at the right", execute("Stay", "stay")]],
      ],
    ],
    [
      "type": "RichTextBlock",
      "inlines": [
        "All is ", ["type": "TextRun", "text": "well", "color": "good"], ", see ",
        ["type": "TextRun", "text": "why", "selectAction": open("Why", "/why")], ".",
      ],
    ],
    ["type": "Image", "url": "https://example.com/x.png", "altText": "A cat on a mat"],
    ["type": "Model", "sources": []],
    execute("Later", "later", ("isEnabled", false)),
    text("The end", ("separator", true), ("horizontalAlignment", "center")),
  ]

  static let screens: [(Value, Int, String)] = [
    (
      counter, 60,
      """
      Counter
      Count: 3

      [1] Add  [2] Reset  [3] Settings
      """
    ),
    (
      counter, 20,
      """
      Counter
      Count: 3

      [1] Add  [2] Reset
      [3] Settings
      """
    ),
    (
      profile, 28,
      """
      Profile
      Name      Max Mustermann
      Lives in  A small town near
                the sea, where it
                rains a lot
      日本語    はい

      │ Only 3 % of the disk is
      │ free
      │ Delete something

      Fruit        Price
      ───────────  ─────
      Apples 🍎     1.20
      Watermelons  12.00
      """
    ),
    (
      form, 40,
      """
      New task
      Title*  [__________]
      Note    [what to do]
      PIN     [••••]
      Count   [2] 1 to 9
      Due     [YYYY-MM-DD]
      [x] Urgent
      Size    [Medium]
              Small · Medium · Large
      Tags
        [x] At home
        [ ] On the road
        [x] With others

      [1] Save  [2] Cancel
      """
    ),
    (
      list, 60,
      """
      Shopping
      [1] Milk
          2 litres
      [2] Bread
          from the baker
      Left                               Others stand at the right
      Some words that stand at the left
                                         [4] Stay
      [3] Go

      All is well, see [5] why.
      (image: A cat on a mat)
      (Model can't be shown)

      [-] Later
      ────────────────────────────────────────────────────────────
                                The end
      """
    ),
    (
      list, 18,
      """
      Shopping
      [1] Milk
          2 litres
      [2] Bread
          from the baker
      Left
      Some words that
      stand at the left

      [3] Go

      Others stand at
      the right

      [4] Stay

      All is well, see
      [5] why.
      (image: A cat on a
      mat)
      (Model can't be
      shown)

      [-] Later
      ──────────────────
           The end
      """
    ),
  ]

  @Test(arguments: screens)
  func `screens look like this`(body: Value, width: Int, shown: String) throws {
    #expect(try lines(body, width: width).joined(separator: "\n") == shown)
  }

  @Test(
    arguments: [
      (["value": 0], 20, "░░░░░░░░░░░░░░ 0 %"),
      (["value": 5, "max": 10], 20, "███████░░░░░░░ 50 %"),
      (["value": 99.9], 20, "█████████████░ 99 %"),
      (["value": 7, "max": 2], 20, "██████████████ 100 %"),
      (["value": -3], 15, "░░░░░░░░░ 0 %"), ([:], 10, "░░░░░░░░░░"), (["value": 50], 4, "██░░"),
      (["value": 50], 1, "░"),
    ] as [(Map, Int, String)])
  func `a bar shows how much is done`(fields: Map, width: Int, shown: String) throws {
    var element = fields
    element["type"] = "ProgressBar"
    #expect(try lines([.map(element)], width: width) == [shown])
  }

  @Test(
    arguments: [
      (
        [
          "type": "Chart.HorizontalBar", "title": "Days",
          "data": [
            ["x": "Mon", "y": 4], ["x": "Tuesday", "y": 1], ["x": 3, "y": -2],
            ["x": "日", "y": 2.5], ["x": "none"],
          ],
        ],
        """
        Days (!)
        Mon      ██████████ 4
        Tuesday  ██▌ 1
        3        -2
        日       ██████▎ 2.5
        """
      ),
      (
        [
          "type": "Chart.Line",
          "data": [
            ["legend": "Up", "values": [["y": 1], ["y": 2], ["y": 3.5]]],
            ["legend": "Flat", "values": [["y": 2], ["y": 2]]], ["legend": "None", "values": []],
          ],
        ],
        """
        Up    ▁▄█ 1 to 3.5
        Flat  ▁▁ 2 to 2
        None
        """
      ), (["type": "Chart.Line", "data": []], ""),
    ] as [(Value, String)])
  func `a chart shows figures`(body: Value, shown: String) throws {
    #expect(try lines(body, width: 28).joined(separator: "\n") == shown)
  }

  @Test func `spans say what things are`() throws {
    let lines = try Card([
      heading("A"), text("b", ("color", "good")), text("c", ("isSubtle", true)),
      ["type": "FactSet", "facts": [["title": "d", "value": "e"]]],
      ["type": "Input.Text", "id": "f", "value": "g", "isRequired": true],
      ["type": "Input.Text", "id": "h", "placeholder": "i"], execute("j", "k"),
      container(["l"], ("style", "warning")), ["type": "M"],
    ]).lines(width: 20)
    let roles = lines.filter { !$0.spans.isEmpty }.map { line in
      line.spans.filter { $0.text.contains { $0 != " " } }.map(\.role)
    }
    #expect(
      roles == [
        [.heading], [.good], [.subtle], [.strong, .plain], [.plain, .attention, .input(1)],
        [.plain, .input(2), .placeholder, .input(2)], [.action(1)], [.warning, .plain],
        [.placeholder],
      ])
  }

  @Test func `inputs show what was filled in`() throws {
    let filled: Map = [
      "title": "Write\nthis", "count": 3, "due": "2026-01-31", "urgent": false, "size": "l",
      "tags": ["b"], "pin": nil,
    ]
    let shown = try lines(Self.form, width: 40, inputs: filled)
    #expect(
      shown.prefix(13).joined(separator: "\n") == """
        New task
        Title*  [Write
                this]
        Note    [what to do]
        PIN     [__________]
        Count   [3] 1 to 9
        Due     [2026-01-31]
        [ ] Urgent
        Size    [Large]
                Small · Medium · Large
        Tags
          [ ] At home
          [x] On the road
        """)
  }

  static let texts: [(Value, [String])] = [
    (text("one two three", ("wrap", false)), ["one two t…"]),
    (text("one two three four", ("maxLines", 1)), ["one two…"]),
    (text("one two three four", ("maxLines", 2)), ["one two", "three four"]),
    (text("one two three four five", ("maxLines", 2)), ["one two", "three fou…"]),
    (text("a\nb\nc", ("maxLines", 2)), ["a", "b…"]),
    (text("Donaudampfschiff"), ["Donaudampf", "schiff"]),
    (text("x Donaudampfschiff"), ["x", "Donaudampf", "schiff"]),
    (text("日本語のテキスト"), ["日本語のテ", "キスト"]),
    (text("a日本語のテキスト"), ["a日本語の", "テキスト"]),
    (text("  two blanks"), ["  two", "blanks"]),
    (text("a\u{1B}[1mb"), ["a\\u{1B}[1m", "b"]),
    (text("a\tb\r\nc\u{0}"), ["a  b", "c\\u{0}"]),
    (text("\u{202E}abc"), ["\\u{202E}ab", "c"]),
    (text("☑️☑️☑️☑️☑️☑️"), ["☑️☑️☑️☑️☑️", "☑️"]),
    (text(""), []),
  ]

  @Test(arguments: texts)
  func `texts are broken, cut and made safe`(element: Value, shown: [String]) throws {
    #expect(try lines([element], width: 10) == shown)
  }
}
