import Moonwire
import Testing

@testable import MoonStage

/// Keys that are pressed before the app has shown what the ones before them have done.
struct TypingAheadTests {
  private static let body =
    #"[{"type":"Input.Text","id":"name"},{"type":"Action.Submit","title":"Save"}]"#
  private static let press = StageCall(.act, "key/press")

  /// An app whose key `n` is pressed, with a host that hasn't shown what it does.
  private static func pressed(_ keys: String) throws -> ShownApp {
    var app = try ShownApp(#"[{"type":"Action.Submit","title":"One"}]"#)
    let key: Value = ["keys": "n", "title": "New", "active": true]
    app.answer(StageCall(.keys, "key/list"), ["keys": [key]])
    app.settlesAtOnce = false
    _ = app.calls()
    app.press(keys)
    return app
  }

  /// Shows a form over the app.
  private static func showForm(_ app: inout ShownApp) throws {
    let form = try ShownApp.screen("form", body)
    let text = form.canonicalText
    try app.change(
      #"[{"op":"add","path":"/beneath","value":{"id":"a","title":"a","body":[]}},"#
        + #"{"op":"replace","path":"/screen","value":\#(text)}]"#)
  }

  @Test func `they wait for the first screen`() throws {
    var stage = Stage(columns: 40, rows: 12)
    _ = stage.begin()
    #expect(stage.take(.key(.character("q"))) == [])
    let screen = try ShownApp.screen("a", Self.body)
    let subscribing = StageCall(.subscribe, "screen/subscribe")
    _ = stage.take(.answered(subscribing, .success(["shown": ["screen": screen]])))
    let settling = StageCall(.settle, "screen/settle")
    _ = stage.take(.answered(settling, .success([:])))
    #expect(stage.take(.answered(settling, .success([:]))).contains(.leave))
  }

  @Test func `they go where they go when they are typed slowly`() throws {
    var app = try Self.pressed("n t e a")
    #expect(app.calls() == [#"key/press {"control":1,"keys":"n","screen":"a"}"#])
    app.answer(Self.press, [:])
    try Self.showForm(&app)
    #expect(!app.text.contains("tea"))
    app.settle()
    #expect(!app.text.contains("tea"), "the keys of the form aren't known")
    app.settle()
    #expect(app.text.contains("tea"), "\(app.text)")
  }

  @Test func `each key that acts is waited for`() throws {
    var app = try Self.pressed("n n n")
    for _ in 1...3 {
      #expect(app.calls().filter { $0.hasPrefix("key/press") }.count == 1)
      app.answer(Self.press, [:])
      app.settle()
    }
    #expect(app.calls().filter { $0.hasPrefix("key/press") } == [])
  }

  @Test func `they are dropped if what was done before is refused`() throws {
    var app = try Self.pressed("n q")
    app.refuse(Self.press, "no")
    app.settle()
    #expect(!app.effects.contains(.leave))
    app.press("q")
    #expect(app.effects.contains(.leave))
  }

  @Test func `they are dropped if an error comes up`() throws {
    var app = try Self.pressed("n q")
    let event: Value = ["event": "failed", "text": "it is broken"]
    _ = app.stage.take(.told(method: "event/happened", event))
    app.answer(Self.press, [:])
    app.settle()
    #expect(app.text.contains("it is broken") && !app.effects.contains(.leave))
  }

  @Test func `Ctrl-C doesn't wait, and drops them`() throws {
    var app = try Self.pressed("n q C-c")
    app.answer(Self.press, [:])
    app.settle()
    #expect(app.effects.filter { $0 == .leave }.count == 1, "Ctrl-C leaves where nothing runs")
  }

  @Test func `Ctrl-C goes back from a form over the app, since there may be text in it`() throws {
    var app = try Self.pressed("n")
    app.answer(Self.press, [:])
    try Self.showForm(&app)
    app.settlesAtOnce = true
    app.settle()
    app.settle()
    _ = app.calls()
    app.press("t C-c")
    #expect(!app.effects.contains(.leave))
    #expect(app.calls().contains("nav/back {}"))
  }

  @Test func `they wait for a form that is sent with the text that was typed last`() throws {
    var app = try ShownApp(Self.body)
    app.settlesAtOnce = false
    app.press("Enter t e a Enter q")
    let fill = StageCall(.fill("name"), "screen/fill")
    #expect(!app.effects.contains(.leave))
    app.answer(fill, [:])
    #expect(!app.effects.contains(.leave))
    app.answer(StageCall(.act, "screen/use"), [:])
    app.settle()
    #expect(app.effects.contains(.leave))
  }

  @Test func `a form that is refused drops them, and typing goes on in it`() throws {
    var app = try ShownApp(Self.body)
    app.settlesAtOnce = false
    app.press("Enter t e a Enter q")
    app.refuse(StageCall(.fill("name"), "screen/fill"), "no tea")
    #expect(!app.effects.contains(.leave))
    #expect(app.stage.typing?.field.text == "tea")
  }

  @Test func `where an action refuses what was sent, typing goes on`() throws {
    var app = try ShownApp(Self.body)
    app.press("Enter t e a Enter")
    app.answer(StageCall(.fill("name"), "screen/fill"), [:])
    #expect(app.stage.typing == nil)
    app.refuse(StageCall(.act, "screen/use"), "there is no tea")
    #expect(app.text.contains("there is no tea"), "\(app.text)")
    app.press("s")
    #expect(app.stage.typing?.field.text == "teas")
  }

  @Test func `an arrow at the edge waits for what the app shows where the focus is`() throws {
    func rows(_ first: Int) -> String {
      let rows = (first..<first + 3).map {
        #"{"type":"Action.Submit","title":"Row \#($0)","id":"r\#($0)"}"#
      }
      return "[\(rows.map { #"{"type":"ActionSet","actions":[\#($0)]}"# }.joined(separator: ","))]"
    }
    var app = try ShownApp(rows(1))
    let key: Value = ["keys": "focus", "type": "a/look", "active": true]
    app.answer(StageCall(.keys, "key/list"), ["keys": [key]])
    app.settlesAtOnce = false
    app.settle()
    let look = StageCall(.focus, "key/press")
    app.answer(look, [:])
    app.settle()
    app.press("Down Down Down")
    #expect(app.focused.contains("Row 3"))
    app.answer(look, [:])
    app.settle()
    app.answer(look, [:])
    try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(rows(3))}]"#)
    app.settle()
    #expect(app.focused.contains("Row 4"), "\(app.text)")
  }
}
