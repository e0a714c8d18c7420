import Moonwire
import Testing

@testable import MoonStage

/// Images on terminals that draw them.
struct StageImageTests {
  /// A PNG of 160 by 80 pixels, as far as its size, in Base64: 20 columns and 5 rows.
  private static let png = "iVBORw0KGgoAAAANSUhEUgAAAKAAAABQ"
  private static let image = #"{"type":"Image","url":"data:image/png;base64,\#(png)"}"#
  private static let escape = "\u{1B}"

  private func app(_ body: String) throws -> ShownApp {
    try ShownApp(body, columns: 40, rows: 12, cell: CellSize())
  }

  /// The commands, each on a line, without their frames.
  private func commands(_ images: inout TerminalImages, _ app: ShownApp) -> [String] {
    images.commands(for: app.stage.picture).split(separator: Self.escape).map { part in
      String(part.drop { "_\\".contains($0) })
    }.filter { !$0.isEmpty }
  }

  @Test func `an image is sent once, and drawn where it is`() throws {
    var (images, app) = (TerminalImages(), try app(#"["Above",\#(Self.image),"Below"]"#))
    #expect(
      commands(&images, app) == [
        "Gq=2,a=t,f=100,i=1,m=0;\(Self.png)", "7", "[3;2H",
        "Gq=2,a=p,i=1,p=1,c=20,r=5,y=0,h=80,C=1", "8",
      ])
    #expect(commands(&images, app) == [])
    try app.change(#"{"screen":{"body":{"1":"More"}}}"#)
    #expect(commands(&images, app) == [], "it stays while another line changes")
  }

  @Test func `what lies over an image hides the rows under it`() throws {
    var (images, app) = (TerminalImages(), try app(#"[\#(Self.image)]"#))
    _ = commands(&images, app)
    app.press("?")
    #expect(commands(&images, app) == ["Gq=2,a=d,d=i,i=1"])
    app.press("Esc")
    #expect(commands(&images, app).last { $0.contains("a=p") }?.contains("r=5,y=0,h=80") == true)
  }

  @Test func `scrolling cuts an image`() throws {
    let rows = (1...20).map { "\"row \($0)\"" }.joined(separator: ",")
    var (images, app) = (TerminalImages(), try app("[\(Self.image),\(rows)]"))
    _ = commands(&images, app)
    app.scroll(by: 2)
    let cut = commands(&images, app)
    #expect(cut.first == "Gq=2,a=d,d=i,i=1")
    #expect(cut.contains("[2;2H") && cut.contains("Gq=2,a=p,i=1,p=1,c=20,r=3,y=32,h=48,C=1"))
    app.scroll(by: 10)
    #expect(commands(&images, app) == ["Gq=2,a=d,d=i,i=1"])
  }

  @Test func `a large image is sent in pieces`() throws {
    let data = Self.png + String(repeating: "A", count: 6000)
    var (images, app) = (
      TerminalImages(), try app(#"[{"type":"Image","url":"data:image/png;base64,\#(data)"}]"#)
    )
    let pieces = commands(&images, app).filter { $0.contains("m=") }
    #expect(pieces.map { $0.prefix { $0 != ";" } } == ["Gq=2,a=t,f=100,i=1,m=1", "Gq=2,m=0"])
    #expect(pieces.map { $0.drop { $0 != ";" }.dropFirst() }.joined() == data)
  }

  @Test func `the terminal frees images of long ago for others, never those that are seen`() throws
  {
    var images = TerminalImages()
    for number in 0..<70 {
      let data = Self.png + String(10_000_000 + number)
      let app = try app(#"[{"type":"Image","url":"data:image/png;base64,\#(data)"}]"#)
      let sent = commands(&images, app)
      #expect(sent.contains { $0.hasSuffix(data) })
      #expect(sent.contains { $0.contains("a=d,d=I") } == (number >= 64))
    }
  }

  @Test func `after something else was written to the terminal, all is sent again`() throws {
    var (images, app) = (TerminalImages(), try app(#"[\#(Self.image)]"#))
    let first = commands(&images, app)
    images.forgetAll()
    #expect(commands(&images, app) == ["Gq=2,a=d,d=A"] + first)
  }

  @Test func `a sheet hides the rows that it covers, and keeps the others`() throws {
    let beneath = try ShownApp.screen("b", "[\(Self.image)]")
    var images = TerminalImages()
    var app = try ShownApp(
      #"["Sure?"]"#, with: ["beneath": beneath], columns: 40, rows: 12, cell: CellSize())
    app.press("Down")
    let drawn = commands(&images, app).filter { $0.contains("a=p") }
    #expect(drawn == ["Gq=2,a=p,i=1,p=1,c=20,r=3,y=0,h=48,C=1"])
  }
}
