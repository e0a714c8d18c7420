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

  @Test func `a search says that it knows the drawn rows only`() throws {
    var app = try ShownApp(Self.body(from: 1), columns: 60)
    app.press("/ 9 9 9 Enter")
    #expect(app.text.contains("isn't in the rows that are drawn"))
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
