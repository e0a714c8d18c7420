import Moonwire
import Testing

@testable import MoonStage

/// Lists of which the host draws only what is seen.
struct LongListTests {
  private static let rowCount = 1_000

  private static func body(from first: Int, _ count: Int = 24, hasIDs: Bool = true) -> String {
    let rows = (first..<first + count).map { row in
      """
      {"type":"Container","items":["row \(row)"],"selectAction":{"type":"Action.Execute",
       "verb":"open"\(hasIDs ? ",\"id\":\"r\(row)\"" : "")}}
      """
    }
    return """
      [{"type":"List","id":"log","first":\(first),"count":\(rowCount),
        "items":[\(rows.joined(separator: ","))]}]
      """
  }

  private static func draw(
    _ app: inout ShownApp, from first: Int, _ count: Int = 24, hasIDs: Bool = true
  ) throws {
    let body = body(from: first, count, hasIDs: hasIDs)
    try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(body)}]"#)
  }

  private static func asked(_ row: Int) -> String {
    #"screen/scroll {"list":"log","row":\#(row),"screen":"a"}"#
  }

  /// Draws rows and answers as long as the stage asks for some.
  private static func serve(_ app: inout ShownApp, hasIDs: Bool = true) throws {
    for _ in 1...100 {
      let rows = app.effects.compactMap { effect -> Int64? in
        guard case .call(let call) = effect else { return nil }
        return call.parameters["row"]?.intValue
      }
      _ = app.calls()
      guard let row = rows.last else { return }
      try draw(&app, from: min(Int(row), rowCount - 23), hasIDs: hasIDs)
      app.answer(StageCall(.scroll, "screen/scroll"), [:])
    }
    Issue.record("the stage asks for rows for ever")
  }

  private static func asks(_ app: inout ShownApp) -> [String] {
    app.calls().filter { $0.hasPrefix("screen/scroll") }
  }

  @Test func `rows are asked for before they are seen, and once`() throws {
    var app = try ShownApp(Self.body(from: 1))
    #expect(Self.asks(&app) == [])
    app.press("PgDn")
    #expect(Self.asks(&app) == [])
    app.press("PgDn")
    #expect(Self.asks(&app) == [Self.asked(9)])
    app.press("z")
    #expect(Self.asks(&app) == [])
  }

  @Test(arguments: [true, false])
  func `the last row gets the focus once it is drawn`(hasIDs: Bool) throws {
    var app = try ShownApp(Self.body(from: 1, hasIDs: hasIDs))
    app.press("G")
    #expect(Self.asks(&app) == [Self.asked(981)])
    #expect(app.text.contains("…"))
    try Self.draw(&app, from: 977, hasIDs: hasIDs)
    #expect(app.focused.contains("row 1000"))
    app.press("k")
    try Self.draw(&app, from: 970, 31, hasIDs: hasIDs)
    #expect(app.focused.contains("row 999"))
  }

  @Test func `what has the focus keeps it while other rows come`() throws {
    var app = try ShownApp(Self.body(from: 1, hasIDs: false))
    app.press("j j j j j j j j j j j j j j j")
    #expect(app.focused.contains("row 16"))
    let before = app.text
    try Self.draw(&app, from: 5, hasIDs: false)
    #expect(app.focused.contains("row 16"))
    #expect(app.text == before)
  }

  @Test(arguments: [true, false])
  func `arrows pressed ahead of the host go on over rows that aren't drawn`(hasIDs: Bool) throws {
    var app = try ShownApp(Self.body(from: 1, hasIDs: hasIDs))
    for _ in 1...40 { app.press(.down) }
    #expect(!app.focused.contains("row"))
    try Self.serve(&app, hasIDs: hasIDs)
    #expect(app.focused.contains("row 41"))
    for _ in 1...39 { app.press(.up) }
    try Self.serve(&app, hasIDs: hasIDs)
    #expect(app.focused.contains("row 2"))
  }

  @Test func `a row that isn't drawn can't be used`() throws {
    var app = try ShownApp(Self.body(from: 1))
    for _ in 1...40 { app.press(.down) }
    _ = app.calls()
    app.press("Enter")
    #expect(app.effects == [.beep])
  }

  @Test func `a row that is awaited and gone leaves the focus where it can be used`() throws {
    var app = try ShownApp(Self.body(from: 1))
    for _ in 1...40 { app.press(.down) }
    let body = #"[{"type":"ActionSet","actions":[{"type":"Action.Submit","title":"Other"}]}]"#
    try app.change(#"[{"op":"replace","path":"/screen/body","value":\#(body)}]"#)
    #expect(app.focused.contains("Other"))
  }

  @Test func `while keys are held down, the host is asked once, and then for what is seen`() throws
  {
    var app = try ShownApp(Self.body(from: 1))
    for _ in 1...60 { app.press(.down) }
    #expect(Self.asks(&app).count == 1)
    app.answer(StageCall(.scroll, "screen/scroll"), [:])
    #expect(Self.asks(&app) == [Self.asked(42)])
  }

  @Test(arguments: [("/ 9 9 9 Enter", "row 999"), ("/ r o w Space 3 Enter N", "row 399")])
  func `a search asks for the rows that aren't drawn`(keys: String, found: String) throws {
    var app = try ShownApp(Self.body(from: 1))
    app.press(keys)
    try Self.serve(&app)
    #expect(app.focused.contains(found))
    #expect(!app.text.contains("searching"))
  }

  @Test func `a search tells how far it is, and any key stops it`() throws {
    var app = try ShownApp(Self.body(from: 1), columns: 60)
    app.press("/ 9 9 9 Enter")
    #expect(app.text.contains("searching: row 25 of 1000"))
    app.press("g")
    _ = app.calls()
    try Self.draw(&app, from: 25)
    #expect(!app.text.contains("searching"))
    #expect(Self.asks(&app).count <= 1)
  }

  @Test func `a search that has seen every row says that nothing has the text`() throws {
    var app = try ShownApp(Self.body(from: 1), columns: 60)
    app.press("/ x y z Enter")
    // Something else has changed before the rows come.
    try Self.draw(&app, from: 1, 23)
    try Self.serve(&app)
    #expect(app.text.contains("xyz isn't in what is shown"))
    #expect(app.focused.contains("row 1"))
  }

  @Test func `text beside what can be used is shown when it is found, and the focus stays`() throws
  {
    func row(_ number: Int, _ beside: String) -> String {
      """
      {"type":"ColumnSet","columns":[{"width":"auto","items":[{"type":"ActionSet","actions":[
       {"type":"Action.Submit","title":"row \(number)","id":"r\(number)"}]}]},
       {"items":["\(beside)"]}]}
      """
    }
    var app = try ShownApp("[\(row(1, "row 3")),\(row(2, "")),\(row(3, ""))]", columns: 60)
    app.press("j")
    #expect(app.focused.contains("row 2"))
    app.press("/ r o w Space 3 Enter")
    #expect(app.focused.contains("row 3"))
    app.press("n")
    #expect(app.focused.contains("row 3"), "\(app.text)")
  }

  @Test func `another host is asked again`() throws {
    var app = try ShownApp(Self.body(from: 1))
    app.press("G")
    #expect(Self.asks(&app).count == 1)
    _ = app.stage.begin()
    app.press("z")
    #expect(Self.asks(&app) == [Self.asked(981)])
  }
}
