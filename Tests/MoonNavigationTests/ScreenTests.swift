import MoonNavigation
import MoonTestSupport
import MoonValues
import Testing

struct ScreenTests {
  @Test func `a changed copy leaves the original and its value as they were`() {
    let screen = Screen(id: "s", title: "Old", url: "/s", owner: ScreenOwner(module: "m"))
    let value = screen.value
    var copy = screen
    copy.title = "New"
    #expect(screen.title == "Old")
    #expect(screen.value == value)
    #expect(copy.value["title"] == "New")
    copy.title = "Newer"
    #expect(copy.value["title"] == "Newer")
    copy.title = "Old"
    #expect(copy == screen)
  }

  @Test(arguments: Array(1...4) as [UInt64])
  func `a changed value makes the screen that reading all of it makes`(seed: UInt64) throws {
    var random = RandomNavigation(seed: seed)
    let fields: [(Key, [Value])] = [
      ("title", ["New", 1, .null]), ("props", [["a": 1], [1], 2, .null]),
      ("params", [["b": [:]], .null]), ("body", [["type": "TextBlock"], []]),
      ("unknown", [1]), ("id", ["other", .null]), ("placeholder", [true]), ("module", [.null]),
    ]
    for _ in 0..<100 {
      var screen = random.screen()
      if random.random.below(2) == 0 {
        // As a routing makes it.
        (screen.url, screen.owner, screen.isPlaceholder) = ("/s", ScreenOwner(module: "m"), false)
      }
      let (field, values) = fields[random.random.below(fields.count)]
      var map = try #require(screen.value.mapValue)
      map[field] = values[random.random.below(values.count)]
      if random.random.below(3) == 0 { map["props"] = ["deep": ["er": true]] }
      if random.random.below(5) == 0 { map["kind"] = Value?.none }
      let whole = Result { try Screen(.map(map)) }
      let changed = Result { try screen.changed(to: .map(map)) }
      switch (whole, changed) {
      case (.success(let whole), .success(let changed)): #expect(whole == changed, "\(map)")
      case (.failure(let whole), .failure(let changed)):
        #expect("\(whole)" == "\(changed)", "\(map)")
      default: Issue.record("\(map): \(whole), \(changed)")
      }
    }
  }
}
