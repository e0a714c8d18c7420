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

  @Test func `j and k move in it until something is typed`() throws {
    var app = try Self.opened()
    app.press("j j k Enter")
    #expect(app.calls() == [#"screen/use {"control":3,"screen":"a"}"#])
    app = try Self.opened()
    app.press("j Enter")
    #expect(app.calls() == [#"screen/use {"control":4,"screen":"a"}"#])
    app = try Self.opened()
    app.press("y j")
    #expect(!app.text.contains("By name"), "a letter that isn't in it: \(app.text)")
  }

  @Test func `a menu of more entries than fit has a scrollbar, and says when nothing matches`()
    throws
  {
    let entries = (1...30).map {
      #"{"type":"Action.Execute","title":"Entry \#($0)","verb":"a","mode":"secondary"}"#
    }
    let body =
      #"[{"type":"ActionSet","title":"Many","actions":[\#(entries.joined(separator: ","))]}]"#
    var app = try ShownApp(body)
    #expect(!app.text.contains("█"))
    app.press("Enter")
    #expect(app.text.contains("█"), "\(app.text)")
    app.press("z z z")
    app.press("Enter")
    #expect(app.text.contains("nothing matches"), "\(app.text)")
    #expect(!app.text.contains("█"), "\(app.text)")
  }

  @Test func `Home and End go to its ends until something is typed`() throws {
    var app = try Self.opened()
    app.press("End Enter")
    #expect(app.calls() == [#"screen/use {"control":4,"screen":"a"}"#])
    app = try Self.opened()
    app.press("y Down End Enter")
    #expect(app.calls() == [#"screen/use {"control":4,"screen":"a"}"#], "End moves in the text")
  }

  @Test func `a key that taps the menu opens it`() throws {
    var app = try ShownApp(Self.body)
    let key: Value = ["keys": "S", "tap": "Sort", "active": true]
    app.answer(StageCall(.keys, "key/list"), ["keys": [key]])
    _ = app.calls()
    app.press("S")
    #expect(app.text.contains("By name"), "\(app.text)")
    #expect(app.calls() == [])
  }

  @Test(arguments: ["", #","mode":"secondary""#])
  func `a card that an action shows is seen where the host has shown it`(mode: String) throws {
    let body = """
      [{"type":"ActionSet","actions":[{"type":"Action.ShowCard","title":"More"\(mode),
        "card":{"type":"AdaptiveCard","body":["inside"]}}]}]
      """
    let card = try Card(try Value(parsing: body), at: Path([.key("body")]))
    let control = try #require(card.controls.first { !$0.opensMenu })
    guard case .toggleVisibility(let changes) = try card.outcome(of: control) else {
      Issue.record("it shows nothing")
      return
    }
    var app = try ShownApp(body)
    #expect(!app.text.contains("inside"), "\(app.text)")
    let shown = Value.map(
      Map(card.visibility(after: changes).map { (.string($0.key), .bool($0.value)) }))
    try app.change(
      #"[{"op":"add","path":"/screen/visibility","value":\#(shown.canonicalText)}]"#)
    #expect(app.text.contains("inside"), "\(app.text)")
  }
}
