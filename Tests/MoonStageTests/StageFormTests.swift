import Moonwire
import Testing

@testable import MoonStage

/// The form of an action that is chosen from the list of actions.
struct StageFormTests {
  private static let actions = """
    [{"type":"m/plain","fields":[]},
     {"type":"m/add","description":"Adds","fields":[
       {"name":"note","type":"string","optional":true},{"name":"by","type":"integer","optional":false},
       {"name":"size","type":"small|large","optional":true},
       {"name":"is_new","type":"boolean","optional":true},
       {"name":"any","type":"any","optional":true}]}]
    """

  private static func open(_ name: String) throws -> ShownApp {
    var app = try ShownApp()
    app.press("C-p")
    app.answer(
      StageCall(.palette(.actions), "action/types"),
      ["actions": try Value(parsing: actions)])
    _ = app.calls()
    app.press(name + " Enter")
    return app
  }

  private static func sent(_ payload: String) -> String {
    #"action/dispatch {"payload":\#(payload),"type":"m/add"}"#
  }

  @Test func `an action without fields is carried out at once`() throws {
    var app = try Self.open("plain")
    #expect(app.calls().contains { $0.hasPrefix("prompt/run") && $0.contains("m/plain") })
  }

  @Test(arguments: [
    ("3 C-s", #"{"by":3}"#), ("3 Enter hi Enter Enter Enter Enter", #"{"by":3,"note":"hi"}"#),
    ("3 Tab 4 C-s", #"{"by":3,"note":"4"}"#),
    ("3 Tab Tab Right Right C-s", #"{"by":3,"size":"large"}"#),
    ("3 Tab Tab Right Right Right C-s", #"{"by":3}"#),
    ("3 BackTab {\"a\":1} BackTab Left C-s", #"{"any":{"a":1},"by":3,"is_new":false}"#),
    ("3 BackTab x Tab C-s", #"{"any":"x","by":3}"#),
  ])
  func `what is filled in is sent, each in its type`(keys: String, payload: String) throws {
    var app = try Self.open("add")
    app.press(keys)
    #expect(app.calls() == [Self.sent(payload)], "\(app.text)")
    app.answer(StageCall(.form, "action/dispatch"), [:])
    #expect(!app.text.contains("m/add"))
  }

  @Test(arguments: [
    ("Tab C-s", "is needed"), ("x C-s", "must be of the type integer"),
  ])
  func `what can't be sent says why, and nothing is`(keys: String, problem: String) throws {
    var app = try Self.open("add")
    app.press(keys)
    #expect(app.calls() == [] && app.text.contains(problem), "\(app.text)")
  }

  @Test func `what the host refuses stays, with the reason`() throws {
    var app = try Self.open("add")
    app.press("3 C-s C-s")
    #expect(app.calls().count == 1, "it is being carried out")
    app.refuse(StageCall(.form, "action/dispatch"), "Not three")
    #expect(app.text.contains("[3") && app.text.contains("Not three"), "\(app.text)")
    _ = app.calls()
    app.press("4 C-s")
    #expect(app.calls() == [Self.sent(#"{"by":34}"#)])
    app.press("Esc")
    app.refuse(StageCall(.form, "action/dispatch"), "Too late")
    #expect(!app.text.contains("Too late"))
  }

  @Test(arguments: [(1, 1), (3, 2), (20, 4), (40, 6)])
  func `the form has a place on any terminal`(columns: Int, rows: Int) throws {
    var app = try Self.open("add")
    _ = app.stage.take(.resize(columns: columns, rows: rows))
    for _ in 1...5 {
      #expect(app.stage.picture.rows == rows)
      app.press("Tab")
    }
  }
}
