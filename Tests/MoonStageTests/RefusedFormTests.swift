import Moonwire
import Testing

@testable import MoonStage

/// Going on with a form in which the host has refused a text.
struct RefusedFormTests {
  private static let body = """
    [{"type":"Input.Text","id":"day","label":"Day"},{"type":"Action.Submit","title":"Save"}]
    """
  private static let fill = StageCall(.fill("day"), "screen/fill")
  private static let use = #"screen/use {"control":1,"screen":"a"}"#

  /// A form whose text was sent by a key or by Enter, and refused.
  private static func refused(by keys: String) throws -> ShownApp {
    var app = try ShownApp(body)
    let save: Value = ["keys": "ctrl+s", "tap": "Save", "active": true, "inputs": true]
    app.answer(StageCall(.keys, "key/list"), ["keys": [save]])
    app.press("Enter x \(keys)")
    app.refuse(fill, "no day")
    _ = app.calls()
    return app
  }

  @Test(arguments: ["C-s", "Enter"])
  func `typing goes on in the input, so that letters aren't commands`(keys: String) throws {
    var app = try Self.refused(by: keys)
    app.press("q r")
    #expect(app.calls() == [])
    #expect(app.text.contains("xqr"), "\(app.text)")
  }

  @Test func `a corrected text is sent with the same key`() throws {
    var app = try Self.refused(by: "C-s")
    app.press("y C-s")
    #expect(app.calls() == [#"screen/fill {"input":"day","screen":"a","text":"xy"}"#])
    app.answer(Self.fill, [:])
    #expect(app.calls().first?.hasPrefix("key/press") ?? false)
  }

  @Test func `whoever only leaves the input isn't held in it`() throws {
    var app = try Self.refused(by: "Esc")
    app.press("q")
    #expect(app.effects.contains(.leave))
  }

  @Test func `q goes back from what lies over the app`() throws {
    var app = try ShownApp(
      "[]", with: ["beneath": try ShownApp.screen("b", "[]"), "back": true])
    _ = app.calls()
    app.press("q")
    #expect(!app.effects.contains(.leave))
    #expect(app.calls() == ["nav/back {}"])
  }
}
