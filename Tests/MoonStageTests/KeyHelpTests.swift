import Moonwire
import Testing

@testable import MoonStage

/// The list of what keys do.
struct KeyHelpTests {
  private static func key(_ keys: Text, _ title: Text, isActive: Bool = true) -> Value {
    ["keys": .string(keys), "title": .string(title), "active": .bool(isActive)]
  }

  private static func opened(_ key: String = "?") throws -> ShownApp {
    var app = try ShownApp(columns: 80, rows: 40)
    let keys: List = [
      Self.key("d", "Throw away"), Self.key("delete", "Throw away"), Self.key("g i", "Go in"),
      Self.key("s", "Save", isActive: false), Self.key("x", "Save", isActive: false),
      Self.key("focus", "Look"),
    ]
    app.answer(StageCall(.keys, "key/list"), ["keys": .list(keys)])
    app.press(key)
    _ = app.calls()
    return app
  }

  @Test func `keys with the same effect share a line, and those of the stage follow`() throws {
    let text = try Self.opened().text
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    let found = ["d, delete Throw away", "g i Go in", "q leave", "s, x Save not here"].map { line in
      lines.firstIndex { $0.contains(line) }
    }
    #expect(
      found.allSatisfy { $0 != nil }
        && found.compactMap(\.self) == found.compactMap(\.self).sorted(), "\(text)")
    #expect(!text.contains("Look"), "what follows the focus isn't a key to press")
  }

  @Test func `what is typed narrows it to lines with the text, and Enter presses the keys`() throws
  {
    var app = try Self.opened()
    app.press("g o Space i n")
    #expect(app.text.contains("Go in") && !app.text.contains("Throw away"), "\(app.text)")
    app.press("Enter")
    #expect(app.calls() == [#"key/press {"keys":"g i","screen":"a"}"#])
    #expect(!app.text.contains("Keys"))
  }

  @Test(arguments: ["s a v e", "s e l e c t ;"])
  func `Enter does nothing on keys that do nothing here, and on those for typing`(
    typed: String
  ) throws {
    var app = try Self.opened()
    app.press(typed + " Enter")
    #expect(app.calls() == [])
    #expect(!app.text.contains("Keys"))
  }

  @Test(arguments: [
    ("u n d o Space t h e", "timeline/undo"), ("r e l o a d", "module/reload"),
    ("a c t i o n s ,", "action/types"),
  ])
  func `Enter presses a key of the stage`(typed: String, method: String) throws {
    var app = try Self.opened()
    app.press(typed + " Enter")
    #expect(app.calls().first?.hasPrefix(method) ?? false)
  }

  @Test func `a key of the stage that the app has taken is listed as the app's`() throws {
    var app = try ShownApp(columns: 80, rows: 40)
    app.answer(StageCall(.keys, "key/list"), ["keys": [Self.key("u", "Up a directory")]])
    app.press("?")
    #expect(app.text.contains("Up a directory") && !app.text.contains("undo the last action"))
  }

  @Test func `? closes it, and belongs to the text once something is typed`() throws {
    var app = try Self.opened()
    app.press("?")
    #expect(!app.text.contains("Keys"))
    app = try Self.opened()
    app.press("x ?")
    #expect(app.text.contains("nothing matches"), "\(app.text)")
  }
}
