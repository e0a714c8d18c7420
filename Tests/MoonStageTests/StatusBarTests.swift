import Moonwire
import Testing

@testable import MoonStage

/// What the last line tells.
struct StatusBarTests {
  private static let reason = "it is " + String(repeating: "very ", count: 20) + "wrong"

  private static func last(_ app: ShownApp) -> String {
    app.text.split(separator: "\n", omittingEmptySubsequences: false)
      .last { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
  }

  private static func refused(_ message: Text, rows: List = []) throws -> ShownApp {
    var app = try ShownApp(columns: 80)
    let failure: Value = ["kind": "error", "message": .string(message), "rows": .list(rows)]
    app.answer(StageCall(.act, "screen/use"), ["failures": [failure]])
    return app
  }

  @Test func `an error that the line cuts is whole under a key that it names`() throws {
    var app = try Self.refused(Text(Self.reason))
    #expect(Self.last(app).contains("it is very") && Self.last(app).contains("e more"))
    app.press("e")
    #expect(app.text.contains("wrong"), "\(app.text)")
    app.press("Esc z")
    #expect(!Self.last(app).contains("e more"))
  }

  @Test func `an error that the line has whole names no key`() throws {
    let app = try Self.refused("no")
    #expect(Self.last(app).contains("no") && !Self.last(app).contains("e more"))
  }

  @Test func `what was undone is told`() throws {
    var app = try ShownApp(columns: 80)
    app.press("u")
    #expect(app.calls().last == "timeline/undo {}")
    app.answer(StageCall(.act, "timeline/undo"), ["note": "took back #3 board/add"])
    #expect(Self.last(app).contains("took back #3 board/add"))
  }

  @Test(arguments: ["q", "C-c"])
  func `what would end tasks is told before it leaves`(key: String) throws {
    var app = try ShownApp(columns: 80)
    let task: Value = ["id": 1, "started_by": "action"]
    app.answer(StageCall(.tasks, "task/list"), ["tasks": [task]])
    app.press(key)
    #expect(!app.effects.contains(.leave))
    #expect(Self.last(app).contains("a task runs: the same key again leaves"))
    app.press("z " + key)
    #expect(!app.effects.contains(.leave), "another key takes the warning back")
    app.press(key)
    #expect(app.effects.contains(.leave))
  }

  @Test func `Space shows the next page while what has the focus isn't seen`() throws {
    let lines = (1...40).map { "\"line \($0)\"" }.joined(separator: ",")
    var app = try ShownApp("[\(lines),{\"type\":\"Action.Submit\",\"title\":\"Next\"}]")
    _ = app.calls()
    for _ in 1...20 where !app.text.contains("Next") { app.press("Space") }
    #expect(app.text.contains("Next") && app.calls() == [])
    app.press("Space")
    #expect(app.calls() == [#"screen/use {"control":1,"screen":"a"}"#])
  }

  @Test func `Space shows the next page of a text without anything to use`() throws {
    let lines = (1...40).map { "\"line \($0)\"" }.joined(separator: ",")
    var app = try ShownApp("[\(lines)]")
    #expect(!app.text.contains("line 15"))
    app.press("Space")
    #expect(app.text.contains("line 15") && !app.text.contains("line 1\n"), "\(app.text)")
  }
}
