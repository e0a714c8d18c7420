import Moonwire
import Testing

@testable import MoonStage

/// What follows from keys.
struct StageKeysTests {
  private static let form = """
    [{"type":"Input.Text","id":"name","label":"Name"},
     {"type":"Input.Text","id":"note","label":"Note","isMultiline":true},
     {"type":"Input.Toggle","id":"on","title":"On"},
     {"type":"Input.ChoiceSet","id":"size","label":"Size","choices":[
       {"title":"Small","value":"s"},{"title":"Large","value":"l"}]},
     {"type":"Input.ChoiceSet","id":"tags","label":"Tags","style":"expanded",
      "isMultiSelect":true,"choices":[{"title":"Red","value":"r"},{"title":"Green","value":"g"}]},
     {"type":"ActionSet","actions":[
       {"type":"Action.Submit","title":"Save"},{"type":"Action.Submit","title":"Drop"}]}]
    """

  private static let field = "[                              ]"

  @Test(arguments: [
    ("", field), ("j", field + field + field + field), ("j j", "[ ]"),
    ("j j j", "[         ▾]"), ("j j j j", "[ ] "), ("j j j j j j", "[ Save ]"),
    ("j j j j j j l", "[ Drop ]"), ("G", "[ Drop ]"), ("G h", "[ Save ]"), ("G k", "[ ] "),
    ("G Tab Esc", field),
  ])
  func `keys move the focus`(keys: String, focused: String) throws {
    var app = try ShownApp(Self.form, rows: 20)
    app.press(keys)
    #expect(app.focused == focused, "\(app.text)")
  }

  @Test(arguments: [
    ("G h Enter", [#"screen/use {"control":1,"screen":"a"}"#]),
    ("G Space", [#"screen/use {"control":2,"screen":"a"}"#]),
    ("Enter Max Tab", [#"screen/fill {"input":"name","screen":"a","text":"Max"}"#]),
    (
      "Enter Max Enter two Enter lines Esc",
      [
        #"screen/fill {"input":"name","screen":"a","text":"Max"}"#,
        #"screen/fill {"input":"note","screen":"a","text":"two\nlines"}"#,
      ]
    ),
    ("Enter qj:? C-u Esc", []), ("Enter ab C-_ Esc", []),
    ("j j Enter", [#"screen/fill {"input":"on","screen":"a","text":"true"}"#]),
    ("j j j Enter Down Enter", [#"screen/fill {"input":"size","screen":"a","text":"l"}"#]),
    ("j j j Enter lar Enter", [#"screen/fill {"input":"size","screen":"a","text":"l"}"#]),
    ("j j j j j Enter", [#"screen/fill {"input":"tags","screen":"a","text":"g"}"#]),
    ("Esc", ["nav/back {}"]), ("h", ["nav/back {}"]), ("r", ["module/reload {}"]),
    ("u", ["timeline/undo {}"]), ("C-p", ["action/types {}", "nav/routes {}"]),
    (": = Enter", [#"prompt/run {"columns":38,"line":"=","rows":5000}"#]),
    ("F12 co Tab", [#"prompt/complete {"cursor":2,"line":"co"}"#]), (": Esc", []), ("? x", []),
  ])
  func `keys use what has the focus`(keys: String, calls: [String]) throws {
    var app = try ShownApp(Self.form, with: ["titles": ["before"]])
    _ = app.calls()
    app.press(keys)
    #expect(app.calls() == calls, "\(app.text)")
  }

  @Test func `a dialog opened again begins anew, and the screen beneath keeps its place`() throws {
    var app = try ShownApp(Self.form, rows: 20)
    let (a, b) = (try ShownApp.screen("a", Self.form), try ShownApp.screen("b", Self.form))
    func show(_ shown: Map) {
      app.answer(StageCall(.subscribe, "screen/subscribe"), ["shown": .map(shown)])
    }
    app.press("G h")
    for _ in 1...2 {
      show(["screen": b, "beneath": a])
      #expect(app.stage.typing?.input == "name", "\(app.text)")
      app.press("Esc G")
      #expect(app.focused == "[ Drop ]")
      show(["screen": a])
      #expect(app.focused == "[ Save ]")
    }
  }

  @Test func `a covered screen keeps its place until it is popped`() throws {
    var app = try ShownApp(Self.form, rows: 20)
    func show(_ id: Text, under title: [Value]) throws {
      let shown: Map = ["screen": try ShownApp.screen(id, Self.form), "titles": .list(List(title))]
      app.answer(StageCall(.subscribe, "screen/subscribe"), ["shown": .map(shown)])
    }
    app.press("G")
    try show("b", under: ["a"])
    app.press("G h")
    try show("c", under: ["a", "b"])
    try show("b", under: ["a"])
    #expect(app.focused == "[ Save ]")
    try show("a", under: [])
    #expect(app.focused == "[ Drop ]")
    try show("b", under: ["a"])
    #expect(app.focused == Self.field, "it was popped")
  }

  @Test(arguments: ["Esc", "h"]) func `the first screen has nothing to go back to`(
    key: String
  ) throws {
    var app = try ShownApp(Self.form)
    _ = app.calls()
    app.press(key)
    #expect(app.calls() == [])
  }

  @Test(arguments: [
    ("n", [#"key/press {"keys":"n","screen":"a"}"#]),
    ("g i", [#"key/press {"keys":"g i","screen":"a"}"#]),
    ("g x", []), ("g Esc n", [#"key/press {"keys":"n","screen":"a"}"#]),
    ("r", ["module/reload {}"]), ("Left", [#"key/press {"keys":"left","screen":"a"}"#]),
    ("Esc", []), ("j j j j j j n", [#"key/press {"control":1,"keys":"n","screen":"a"}"#]),
    (
      "Enter n C-n",
      [
        #"screen/fill {"input":"name","screen":"a","text":"n"}"#
      ]
    ),
  ])
  func `keys of the app come first, also some after another`(
    keys: String, calls: [String]
  ) throws {
    var app = try ShownApp(Self.form)
    let own: [Value] = ["n", "g i", "ctrl+n", "left", "escape"].map {
      ["keys": .string(Text($0)), "type": "a/b", "active": true]
    }
    let elsewhere: Value = ["keys": "r", "type": "a/b", "active": false]
    app.answer(StageCall(.keys, "key/list"), ["keys": .list(List(own + [elsewhere]))])
    _ = app.calls()
    app.press(keys)
    #expect(app.calls() == calls, "\(app.text)")
    app.answer(StageCall(.fill("name"), "screen/fill"), [:])
    app.press("g")
    #expect(app.text.contains("g …"), "\(app.text)")
  }

  @Test func `Enter in the last input uses the button behind it, once the host has the text`()
    throws
  {
    let body = """
      [{"type":"Input.Text","id":"name"},{"type":"Input.Text","id":"note"},
       {"type":"Action.Submit","title":"Save"}]
      """
    var app = try ShownApp(body)
    _ = app.calls()
    app.press("Enter a Enter b Enter")
    #expect(
      app.calls() == [
        #"screen/fill {"input":"name","screen":"a","text":"a"}"#,
        #"screen/fill {"input":"note","screen":"a","text":"b"}"#,
      ])
    app.answer(StageCall(.fill("name"), "screen/fill"), [:])
    #expect(app.calls() == [])
    app.answer(StageCall(.fill("note"), "screen/fill"), [:])
    #expect(app.calls() == [#"screen/use {"control":1,"screen":"a"}"#])
    app.press("k Enter c Enter")
    app.refuse(StageCall(.fill("note"), "screen/fill"), "too short")
    app.answer(StageCall(.fill("note"), "screen/fill"), [:])
    #expect(!app.calls().contains { $0.hasPrefix("screen/use") })
  }

  @Test func `what is typed is sent at once if the input does something, one text at a time`()
    throws
  {
    let body = """
      [{"type":"Input.Text","id":"words",
        "valueChangedAction":{"type":"Action.Execute","verb":"search"}},
       {"type":"Action.Submit","title":"Save"}]
      """
    var app = try ShownApp(body)
    let fill = StageCall(.fill("words"), "screen/fill")
    func sent(_ text: String) -> String {
      #"screen/fill {"input":"words","screen":"a","text":"\#(text)"}"#
    }
    _ = app.calls()
    app.press("Enter t e a")
    #expect(app.calls() == [sent("t")])
    app.answer(fill, [:])
    #expect(app.calls() == [sent("tea")])
    app.press("s Enter")
    #expect(app.calls() == [sent("teas")], "the end of typing sends the rest")
    app.answer(fill, [:])
    #expect(app.calls() == [], "the last text isn't answered yet")
    app.answer(fill, [:])
    #expect(app.calls() == [#"screen/use {"control":1,"screen":"a"}"#])
    app.press("k Enter !")
    _ = app.calls()
    app.refuse(fill, "no sign")
    #expect(app.calls() == [], "a refused text isn't sent again")
    app.press("?")
    #expect(app.calls() == [sent("teas!?")])
  }

  @Test func `what sends the inputs waits for the text, and is refused while a text is`() throws {
    let body = """
      [{"type":"Input.Text","id":"day","label":"Day"},{"type":"Action.Submit","title":"Save"},
       {"type":"Action.Submit","title":"Leave","associatedInputs":"none"}]
      """
    var app = try ShownApp(body)
    let save: Value = ["keys": "ctrl+s", "tap": "Save", "active": true, "inputs": true]
    app.answer(StageCall(.keys, "key/list"), ["keys": [save]])
    let fill = StageCall(.fill("day"), "screen/fill")
    for press in ["C-s", "click"] {
      app.press("Esc k Enter x")
      _ = app.calls()
      if press == "click" {
        let row =
          app.text.split(separator: "\n", omittingEmptySubsequences: false)
          .firstIndex { $0.contains("Save") } ?? 0
        #expect(app.stage.take(.press(row: row, column: 3)).count == 1)
      } else {
        app.press(press)
        #expect(app.calls().count == 1)
      }
      app.answer(fill, [:])
      #expect(app.calls().count == 1, "it was taken")
    }
    app.press("k Enter y Esc")
    app.refuse(fill, "no day")
    _ = app.calls()
    app.press("C-s j Enter")
    #expect(app.calls() == [])
    #expect(app.text.contains("Day: no day"), "\(app.text)")
    app.press("l Enter")
    #expect(app.calls() == [#"screen/use {"control":2,"screen":"a"}"#])
  }

  @Test(arguments: [
    ("j", "▸ b"), ("j j", "▸ c"), ("j j l", "▸ y"), ("l", "▸ x"), ("l j", "▸ y"),
    ("l j h", "▸ b"), ("j j l k", "▸ x"), ("j j l h", "▸ b"),
  ])
  func `the focus stays in its column, and reaches one that is shorter`(
    keys: String, shown: String
  ) throws {
    func column(_ names: String) -> String {
      let rows = names.map { name in
        #"{"type":"Container","spacing":"none","items":["\#(name)"],"selectAction":"#
          + #"{"type":"Action.Submit","title":"\#(name)"}}"#
      }
      return #"{"type":"Column","width":"stretch","items":[\#(rows.joined(separator: ","))]}"#
    }
    let columns = [column("abc"), column("xy")].joined(separator: ",")
    var app = try ShownApp(#"[{"type":"ColumnSet","columns":[\#(columns)]}]"#)
    app.press(keys)
    #expect(app.text.contains(shown), "\(app.text)")
  }

  @Test func `the focus follows a control with an id, wherever it goes`() throws {
    func row(_ name: Character) -> String {
      #"{"type":"Container","items":["\#(name)"],"selectAction":"#
        + #"{"type":"Action.Submit","title":"Row","id":"\#(name)"}}"#
    }
    func body(_ names: String) -> String { "[\(names.map(row).joined(separator: ","))]" }
    var app = try ShownApp(body("abc"))
    app.press("j")
    for names in ["cab", "bca", "ab"] {
      let shown: Map = ["screen": try ShownApp.screen("a", body(names))]
      app.answer(StageCall(.subscribe, "screen/subscribe"), ["shown": .map(shown)])
      #expect(app.text.contains("▸ b"), "\(app.text)")
    }
  }

  @Test func `tasks are asked for again while some run, and those that always do don't count`()
    throws
  {
    var app = try ShownApp()
    let call = StageCall(.tasks, "task/list")
    let tasks: [Value] = [
      ["id": 1, "started_by": "effect"], ["id": 2, "started_by": "schedule"],
      ["id": 3, "started_by": "effect", "kept": true], ["id": 4, "parent": 1],
    ]
    _ = app.calls()
    app.answer(call, ["tasks": .list(List(tasks))])
    app.answer(call, ["tasks": .list(List(tasks))])
    #expect(app.text.contains("1 task "), "\(app.text)")
    #expect(app.effects.filter { $0 == .later(call) }.count == 1)
    #expect(app.stage.take(.due(call)) == [.call(call)])
    app.answer(call, ["tasks": .list(List(tasks.dropFirst()))])
    #expect(!app.text.contains("task"), "\(app.text)")
    #expect(app.effects.filter { $0 == .later(call) }.count == 1)
  }

  @Test func `what can be selected is a block, and a mark shows that it has the focus`() throws {
    let rows = ["One", "Two"].map {
      #"{"type":"Container","spacing":"none","items":["\#($0)","more"],"selectAction":"#
        + #"{"type":"Action.Submit","title":"\#($0)"}}"#
    }
    var app = try ShownApp("[\(rows.joined(separator: ","))]", columns: 30)
    #expect(app.text.contains(" ▸ One\n   more\n   Two\n   more"), "\(app.text)")
    app.press("j")
    #expect(app.text.contains("   One\n   more\n ▸ Two\n   more"), "\(app.text)")
    let effects = app.stage.take(.press(row: 2, column: 20))
    let use: Map = ["control": 1, "screen": "a", "seen": ["title": "One"]]
    #expect(effects.first == .act("screen/use", use))
  }

  @Test func `tabs are selected by keys and by the mouse`() throws {
    let tabs: Map = [
      "tabs": [
        ["id": "x", "title": "One", "selected": true],
        ["id": "y", "title": "Two", "selected": false],
      ]
    ]
    var app = try ShownApp(with: tabs)
    _ = app.calls()
    app.press("]")
    let second = app.calls()
    #expect(second.first?.contains(#"{"id":"y","origin":"user"},"type":"nav/select_tab""#) ?? false)
    _ = app.stage.take(.press(row: 1, column: 2))
    #expect(app.text.contains("  One   Two"), "\(app.text)")
  }

  @Test func `the prompt shows what a line has printed, and asks`() throws {
    var app = try ShownApp()
    app.press(": x Enter")
    let call = StageCall(.prompt, "prompt/run")
    app.answer(
      call,
      [
        "status": "asks", "question": "Really? ",
        "output": [["stream": "result", "text": "one\ntwo"]],
      ])
    #expect(app.text.hasSuffix(" > x\n one\n two\nReally?"), "\(app.text)")
    _ = app.calls()
    app.press("y Enter")
    #expect(app.calls() == [#"prompt/answer {"text":"y"}"#])
    app.answer(call, ["status": "left", "output": []])
    #expect(app.effects.contains(.leave))
  }

  @Test func `a completion is the part that all candidates begin with`() throws {
    var app = try ShownApp()
    app.press(": c Tab")
    app.answer(
      StageCall(.complete, "prompt/complete"),
      ["from": 0, "candidates": [["text": "cat/add"], ["text": "cat/as"]]])
    #expect(app.text.hasSuffix("cat/add  cat/as\n: cat/a"), "\(app.text)")
  }

  @Test func `a pasted text is one change, and what a terminal obeys isn't in it`() throws {
    var app = try ShownApp(Self.form)
    _ = app.calls()
    _ = app.stage.take(.paste("a\u{1B}[31mb\nc"))
    #expect(app.text.contains("[a[31mb c "), "\(app.text)")
    app.press("C-_")
    #expect(!app.text.contains("31m"), "\(app.text)")
    _ = app.stage.take(.paste(String(repeating: "x", count: 10 << 20)))
    #expect(app.stage.typing?.field.characters.count == TextField.lengthMax)
  }

  @Test func `text is found, and Esc ends the search`() throws {
    let rows = (1...50).map { #"{"type":"TextBlock","text":"Row \#($0)."}"# }
    var app = try ShownApp(
      "[\(rows.joined(separator: ","))]", with: ["titles": ["before"]])
    app.press("/ row Enter")
    app.press("/ 33. Enter")
    #expect(app.text.contains("Row 33."), "\(app.text)")
    _ = app.calls()
    app.press("Esc")
    #expect(app.calls() == [])
    app.press("Esc")
    #expect(app.calls() == ["nav/back {}"])
  }

  @Test func `the next line with a text is found, also where nothing has the focus`() throws {
    let rows = (1...50).map { #""Row \#($0).""# }
    let button = #"{"type":"Action.Submit","title":"Save"}"#
    var app = try ShownApp("[\(button),\(rows.joined(separator: ","))]")
    app.press("/ 9. Enter")
    #expect(app.text.contains("Row 9."), "\(app.text)")
    for found in ["19", "29", "39", "49", "9"] {
      app.press("n")
      #expect(app.text.contains("Row \(found)."), "\(app.text)")
    }
    app.press("N N")
    #expect(app.text.contains("Row 39."), "\(app.text)")
  }

  @Test func `a screen begins at its top, and its control is used once it is seen`() throws {
    let rows = (1...30).map { #""Row \#($0).""# }
    let button = #"{"type":"Action.Submit","title":"Save","data":{"id":1}}"#
    var app = try ShownApp("[\(rows.joined(separator: ",")),\(button)]")
    app.answer(StageCall(.keys, "key/list"), ["keys": [["keys": "d", "active": true]]])
    #expect(app.text.contains("Row 1."), "\(app.text)")
    try app.change(#"[{"op":"add","path":"/screen/body/0","value":"New"}]"#)
    _ = app.calls()
    app.press("Down d")
    #expect(app.text.contains("Row 2.") && !app.text.contains("New"), "\(app.text)")
    #expect(app.calls() == [#"key/press {"keys":"d","screen":"a"}"#])
    app.press("Enter")
    #expect(app.calls() == [] && app.focused == "[ Save ]", "\(app.text)")
    app.press("d Enter")
    #expect(
      app.calls() == [
        #"key/press {"control":1,"keys":"d","screen":"a"}"#,
        #"screen/use {"control":1,"screen":"a"}"#,
      ])
  }
}
