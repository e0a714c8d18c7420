import MoonCards
import MoonValues
import Testing

/// Images that come with a card, on terminals that draw them.
struct CardImageTests {
  /// A PNG of 160 by 80 pixels, as far as its size, in Base64.
  private static let png = "iVBORw0KGgoAAAANSUhEUgAAAKAAAABQ"
  private static let cell = CellSize(width: 8, height: 16)

  private func image(_ url: String, _ fields: (Key, Value)...) -> Value {
    .map(
      Map([("type", "Image"), ("url", .string(Text(url))), ("altText", "A house")] + fields))
  }

  private func size(
    _ body: Value, width: Int = 60, cell: CellSize? = cell
  ) throws -> (columns: Int, rows: Int)? {
    let lines = try Card(body).lines(
      width: width, inputs: Map(), notes: [:], on: .stage, cell: cell, dates: { "\($0)" })
    let spans = lines.flatMap(\.spans).filter { $0.role == .image(1) }
    guard let first = spans.first else { return nil }
    return (first.text.count, spans.count)
  }

  @Test(
    arguments: [
      ([], 60, (20, 5)), ([], 10, (10, 3)), ([("size", "Small")], 60, (5, 1)),
      ([("size", "large")], 60, (20, 5)), ([("size", "stretch")], 60, (60, 15)),
      ([("width", "40px")], 60, (5, 1)), ([("width", "wide")], 60, (20, 5)), ([], 1, (1, 1)),
    ] as [([(Key, Value)], Int, (Int, Int))])
  func `an image keeps its proportions in the room that it gets`(
    fields: [(Key, Value)], width: Int, expected: (Int, Int)
  ) throws {
    var map: Map = ["type": "Image", "url": .string(Text("data:image/png;base64," + Self.png))]
    for (key, value) in fields { map[key] = value }
    let found = try #require(try size(.list([.map(map)]), width: width))
    #expect(found == expected)
  }

  @Test func `a tall image has a limit, and becomes as narrow`() throws {
    // 8 by 10,000 pixels.
    let tall = "iVBORw0KGgoAAAANSUhEUgAAAAgAACcQ"
    let found = try #require(
      try size([image("data:image/png;base64," + tall, ("size", "stretch"))]))
    #expect(found == (1, 24))
  }

  @Test func `larger cells make an image smaller`() throws {
    let found = try size(
      [image("data:image/png;base64," + Self.png)], cell: CellSize(width: 16, height: 32))
    #expect(try #require(found) == (10, 3))
    // A terminal that tells nonsense has cells as usual.
    #expect(CellSize(width: -1, height: 70_000) == CellSize())
  }

  @Test(
    arguments: [
      "https://example.com/house.png", "data:image/jpeg;base64,\(png)", "data:image/png,\(png)",
      "data:image/png;base64,", "data:image/png;base64,iVBORw0KGgo=",
      // A letter too few, another signature, a width of 0, a height of 2³¹, and an escape.
      "data:image/png;base64,\(png)A", "data:image/png;base64,AAAA\(png.dropFirst(4))",
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAAAAABQ",
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKCAAAAA",
      "data:image/png;base64,\(png)\u{1B}\\AA", "data:image/png;base64,\(png)é===",
    ])
  func `what isn't a PNG that comes with the card is shown as its text`(url: String) throws {
    #expect(try size([image(url)]) == nil)
    #expect(try lines([image(url)]) == ["(image: A house)"])
  }

  @Test func `terminals that draw no images show the text`() throws {
    #expect(try size([image("data:image/png;base64," + Self.png)], cell: nil) == nil)
    #expect(try lines([image("data:image/png;base64," + Self.png)]) == ["(image: A house)"])
  }

  @Test func `hidden images have no numbers, and others have one each`() throws {
    let url = "data:image/png;base64," + Self.png
    let card = try Card([
      image(url, ("isVisible", false)), container([image(url)]),
      ["type": "ImageSet", "images": [image(url)]],
    ])
    #expect(card.images.map(\.number) == [1, 2])
  }
}
