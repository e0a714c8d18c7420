import Moonwire
import Testing

@testable import MoonStage

/// What a stage shows.
struct StagePictureTests {
  private static let rows = (1...30).map {
    #"{"type":"TextBlock","text":"Row \#($0)"}"#
  }.joined(separator: ",")

  @Test func `a screen has its title, its stack, its tabs and its lines`() throws {
    let app = try ShownApp(
      #"["Hello",{"type":"Input.Text","id":"n","label":"Name"}]"#,
      with: [
        "titles": ["List"],
        "tabs": [["id": "x", "title": "One", "selected": true], ["id": "y", "title": "Two"]],
      ], rows: 8)
    #expect(
      app.text == """
        ‹ List › a
          One   Two
         Hello

         Name  [                              ]


                                         ? keys
        """)
  }

  @Test func `what is presented is a box over what it covers`() throws {
    let app = try ShownApp(
      #"["Sure?"]"#, with: ["beneath": try ShownApp.screen("b", #"["one","two","three","four"]"#)],
      rows: 8)
    #expect(
      app.text == """
        ‹ a
         one
        ┌─ a ──────────────────────────────────┐
        │ Sure?                                │
        └──────────────────────────────────────┘


                                         ? keys
        """)
  }

  @Test func `columns of a split view stand side by side, where there is room`() throws {
    let columns: Map = [
      "columns": [
        ["id": "m", "title": "All", "selected": true], ["id": "d", "title": "One"],
      ],
      "beside": try ShownApp.screen("b", #"["detail"]"#),
    ]
    let wide = try ShownApp(#"["master"]"#, with: columns)
    #expect(wide.text.contains("master          │detail"), "\(wide.text)")
    let narrow = try ShownApp(#"["master"]"#, with: columns, columns: 30)
    #expect(narrow.text.contains("master") && !narrow.text.contains("detail"))
  }

  @Test func `only what is seen is drawn, and the focus stays in sight`() throws {
    var app = try ShownApp("[\(Self.rows)]", rows: 6)
    #expect(app.text.contains("Row 1") && !app.text.contains("Row 5"))
    app.press("PgDn")
    #expect(app.text.contains("Row 4\u{20}") && !app.text.contains("Row 3\u{20}"), "\(app.text)")
    app.press("G")
    #expect(app.text.contains("Row 30"), "\(app.text)")
  }

  @Test func `the focus follows what it is on when the screen changes`() throws {
    let actions = ["One", "Two"].map { #"{"type":"Action.Submit","title":"\#($0)"}"# }
    var app = try ShownApp(
      #"["x",{"type":"ActionSet","actions":[\#(actions.joined(separator: ","))]}]"#)
    app.press("G")
    try app.change(#"[{"op":"add","path":"/screen/body/0","value":"y"}]"#)
    #expect(app.focused == "[ Two ]", "\(app.text)")
    try app.change(#"[{"op":"remove","path":"/screen/body/2/actions/1"}]"#)
    #expect(app.focused == "[ One ]", "\(app.text)")
    try app.change(#"[{"op":"replace","path":"/nowhere/at/all","value":1}]"#)
    #expect(app.calls().last == "screen/subscribe {}")
  }

  @Test func `a text stays until the host shows it, and with the reason if it is refused`() throws {
    var app = try ShownApp(#"[{"type":"Input.Number","id":"n","label":"N"}]"#, columns: 70)
    app.press("Enter 12 Esc")
    let call = StageCall(.fill("n"), "screen/fill")
    try app.change(#"[{"op":"add","path":"/screen/url","value":"x"}]"#)
    #expect(app.text.contains("[12 "), "\(app.text)")
    app.answer(call, [:])
    try app.change(#"[{"op":"add","path":"/screen/inputs","value":{"n":12}}]"#)
    #expect(app.text.contains("[12 ") && app.stage.drafts.isEmpty)
    app.press("Enter x Esc")
    app.refuse(call, "must be a number")
    try app.change(#"[{"op":"add","path":"/screen/url","value":"y"}]"#)
    #expect(app.text.contains("[12x ") && app.text.contains("] must be a number"), "\(app.text)")
    app.press("Enter y Esc")
    app.refuse(call, "N must match ^1+$", detail: "only ones")
    #expect(app.text.contains("[12xy") && app.text.contains("] only ones"), "\(app.text)")
  }

  @Test func `an error of a module is a box, which goes once the module is mended`() throws {
    var app = try ShownApp(#"["Hello"]"#)
    func event(_ name: Text, _ text: Text) -> StageEvent {
      .told(method: "event/happened", ["event": .string(name), "text": .string(text)])
    }
    _ = app.stage.take(event("failed", "error: a mistake\n  app.lua:3"))
    #expect(app.text.contains("─ Error") && app.text.contains("app.lua:3"), "\(app.text)")
    _ = app.stage.take(event("reloaded", "app 1→2"))
    #expect(!app.text.contains("Error") && app.text.contains("app 1→2"), "\(app.text)")
    // What a person is doing isn't covered.
    app.press(":")
    _ = app.stage.take(event("failed", "error: another"))
    #expect(!app.text.contains("─ Error"), "\(app.text)")
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 1), (7, 3), (10, 4), (20, 5), (200, 60)])
  func `any size is drawn, whatever lies over the app`(columns: Int, rows: Int) throws {
    let more: Map = ["beneath": try ShownApp.screen("b", #"["below"]"#), "titles": ["T"]]
    let body = #"[{"type":"Input.Text","id":"n","label":"Name"},"漢字 and more",\#(Self.rows)]"#
    var app = try ShownApp(body, with: more, columns: columns, rows: rows)
    for keys in ["Enter x", "Esc ?", "Esc C-p", "Esc : a Enter", "Esc / r", "Esc PgDn G"] {
      app.press(keys)
      let picture = app.stage.picture
      #expect(picture.cells.count == columns * rows)
      _ = app.stage.take(.press(row: rows / 2, column: columns / 2))
      _ = app.stage.take(.resize(columns: max(1, columns - 1), rows: rows))
      _ = app.stage.take(.resize(columns: columns, rows: rows))
    }
  }

  @Test func `texts of modules can't steer the terminal`() throws {
    let evil = #"["\u001b[2J\u202eabc\u0007",{"type":"Input.Text","id":"n","value":"\u001b]0;x"}]"#
    var app = try ShownApp(evil, with: ["titles": ["\u{1B}[1m\n"]])
    app.press("Enter")
    let picture = app.stage.picture
    let scalars = picture.text.unicodeScalars.filter { $0 != "\n" }
    #expect(!scalars.contains { $0.properties.generalCategory == .control }, "\(picture.text)")
    #expect(!scalars.contains("\u{202E}"))
    #expect(picture.html.contains("<span class=\"bold\">a</span>"), "\(picture.html)")
  }
}
