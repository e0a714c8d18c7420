import Moonwire
import Testing

@testable import MoonStage

/// Buttons that show others to choose from.
struct MenuTests {
  private static let body = """
    [{"type":"ActionSet","title":"Sort","actions":[
      {"type":"Action.Execute","title":"Add","verb":"add"},
      {"type":"Action.Execute","title":"By name","verb":"name","mode":"secondary"},
      {"type":"Action.Execute","title":"By age","verb":"age","mode":"secondary"}]}]
    """

  private static func opened() throws -> ShownApp {
    var app = try ShownApp(body)
    _ = app.calls()
    app.press("l Enter")
    return app
  }

  @Test func `a menu is a list to choose from, and what is chosen is used`() throws {
    var app = try Self.opened()
    #expect(app.text.contains("By name") && app.text.contains("By age"), "\(app.text)")
    #expect(app.calls() == [])
    app.press("Down Enter")
    #expect(app.calls() == [#"screen/use {"control":4,"screen":"a"}"#])
    #expect(!app.text.contains("By age"), "\(app.text)")
  }

  @Test func `what is typed narrows it, and Esc closes it`() throws {
    var app = try Self.opened()
    app.press("a g e")
    #expect(!app.text.contains("By name"), "\(app.text)")
    app.press("Enter")
    #expect(app.calls() == [#"screen/use {"control":4,"screen":"a"}"#])
    app = try Self.opened()
    app.press("Esc")
    #expect(app.calls() == [])
    #expect(!app.text.contains("By age"), "\(app.text)")
  }

  @Test func `a choice is the control that was seen when the menu was opened`() throws {
    var app = try Self.opened()
    try app.change(
      #"[{"op":"replace","path":"/screen/body/0/actions/1/title","value":"By size"}]"#)
    app.press("Enter")
    #expect(app.seenControls() == [["title": "By name", "verb": "name"]])
  }
}
