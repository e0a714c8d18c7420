import Moonwire
import Testing

@testable import MoonStage

/// What an app does with the focus, and has it do.
struct FocusTests {
  private static func row(_ name: String, isFocused: Bool = false) -> String {
    """
    {"type":"Container","items":["\(name)"],"selectAction":{"type":"Action.Execute","verb":"open",
     "id":"\(name)","data":{"n":"\(name)"},"isFocused":\(isFocused)}}
    """
  }

  private static func body(_ names: String, wanted: String = "") -> String {
    let rows = names.split(separator: " ").map { row(String($0), isFocused: $0 == wanted) }
    return "[\(rows.joined(separator: ","))]"
  }

  private static func app(_ names: String, wanted: String = "") throws -> ShownApp {
    var app = try ShownApp(Self.body(names, wanted: wanted))
    app.answer(StageCall(.keys, "key/list"), ["keys": [["keys": "focus", "active": true]]])
    return app
  }

  private static func told(_ number: Int) -> String {
    #"key/press {"control":\#(number),"keys":"focus","screen":"a"}"#
  }

  private static let focus = StageCall(.focus, "key/press")

  @Test func `the app is told where the focus is, the last place only while it is busy`() throws {
    var app = try Self.app("a b c d")
    #expect(app.calls().last == Self.told(1))
    app.press("j j j")
    #expect(app.calls() == [])
    app.answer(Self.focus, [:])
    #expect(app.calls() == [Self.told(4)])
    app.refuse(Self.focus, "not there")
    #expect(app.calls() == [])
    app.press("k")
    #expect(app.calls() == [Self.told(3)])
  }

  @Test func `the app is told again once its screen is seen again`() throws {
    var app = try Self.app("a b")
    app.answer(Self.focus, [:])
    func show(_ id: Text) throws {
      let screen = try ShownApp.screen(id, Self.body("a b"))
      app.answer(StageCall(.subscribe, "screen/subscribe"), ["shown": ["screen": screen]])
      app.answer(Self.focus, [:])
    }
    _ = app.calls()
    try show("b")
    try show("a")
    #expect(app.calls().filter { $0.hasPrefix("key/press") }.count == 2)
  }

  @Test func `an app without that key is told nothing`() throws {
    var app = try ShownApp(Self.body("a b"))
    app.press("j")
    #expect(!app.calls().contains { $0.hasPrefix("key/press") })
  }

  @Test func `a screen begins with what it wants to have the focus, and may want something else`()
    throws
  {
    var app = try Self.app("a b c", wanted: "b")
    #expect(app.focused.hasPrefix("▸ b"), "\(app.text)")
    try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(Self.body("a b c"))}]"#)
    #expect(app.focused.hasPrefix("▸ b"), "\(app.text)")
    app.press("k")
    let wanting = Self.body("a b c", wanted: "c")
    try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(wanting)}]"#)
    #expect(app.focused.hasPrefix("▸ c"), "\(app.text)")
    app.press("k")
    try app.change(#"[{"op":"add","path":"/screen/body/0","value":"new"}]"#)
    #expect(app.focused.hasPrefix("▸ b"), "a person moves on: \(app.text)")
  }

  @Test func `a screen that is behind a person who moves on doesn't hold them back`() throws {
    var app = try Self.app("a b c d", wanted: "a")
    func want(_ name: String) throws {
      let body = Self.body("a b c d", wanted: name)
      try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(body)}]"#)
    }
    app.answer(Self.focus, [:])
    app.press("j")
    app.answer(Self.focus, [:])
    app.press("j j")
    try want("b")
    #expect(app.focused.hasPrefix("▸ d"), "\(app.text)")
    app.answer(Self.focus, [:])
    try want("c")
    #expect(app.focused.hasPrefix("▸ d"), "it has told of c before")
    try want("d")
    try want("b")
    #expect(app.focused.hasPrefix("▸ b"), "it has caught up, and wants something else")
  }

  @Test func `a key and a tap say what was seen`() throws {
    var app = try Self.app("a b")
    app.answer(Self.focus, [:])
    _ = app.calls()
    app.press("j Enter")
    let row: Value = ["title": "b", "id": "b", "verb": "open", "data": ["n": "b"]]
    #expect(app.seenControls() == [row, row])
  }

  @Test func `a view that moves the focus because it was told of a move comes to rest`() throws {
    var app = try Self.app("a b")
    func answer(times count: Int) throws -> Int {
      for number in 0..<count {
        app.answer(Self.focus, [:])
        let body = Self.body("a b", wanted: number.isMultiple(of: 2) ? "b" : "a")
        try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(body)}]"#)
      }
      return app.calls().filter { $0.hasPrefix("key/press") }.count
    }
    #expect(try answer(times: 20) == 8)
    #expect(try answer(times: 20) == 0)
    app.press("j")
    #expect(try answer(times: 20) == 8, "a person has moved on")
  }
}
