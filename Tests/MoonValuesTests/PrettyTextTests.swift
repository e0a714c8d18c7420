import MoonValues
import Testing

struct PrettyTextTests {
  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (1, "1"), (1.0, "1.0"), ("a\"b", #""a\"b""#),
      ([], "[]"), ([:], "{}"),
      (["count": 1, "log": ["a", "b"]], #"{count = 1, log = ["a", "b"]}"#),
      ([10: 1, "k 1": 2, "_x": [:]], #"{[10] = 1, _x = {}, ["k 1"] = 2}"#),
    ] as [(Value, String)])
  func `a short value is shown on one line`(value: Value, text: String) {
    #expect(value.prettyText() == text)
  }

  @Test func `a value too wide for a line is indented`() {
    var style = PrettyStyle()
    style.width = 20
    let value: Value = [
      "name": "somebody", "list": [1, 2, 3], "long": [100_000, 200_000, 300_000],
    ]
    #expect(
      value.prettyText(style) == """
        {
          list = [1, 2, 3],
          long = [
            100000,
            200000,
            300000
          ],
          name = "somebody"
        }
        """)
  }

  @Test func `items beyond the limit are counted`() {
    var style = PrettyStyle()
    style.itemCountMax = 2
    let value: Value = .list(List((1...1205).map { .int($0) }))
    #expect(
      value.prettyText(style) == """
        [
          1,
          2,
          … (1203 more)
        ]
        """)
  }

  @Test func `what lies too deep is counted`() {
    var style = PrettyStyle()
    style.depthMax = 1
    let value: Value = ["a": [1, 2, 3], "b": ["c": 1], "d": [], "e": 5]
    #expect(value.prettyText(style) == "{a = [… (3 more)], b = {… (1 more)}, d = [], e = 5}")
    style.depthMax = 0
    #expect(value.prettyText(style) == "{… (4 more)}")
  }

  @Test func `a text too long is cut between characters`() {
    var style = PrettyStyle()
    style.byteCountMax = 10
    let value = Value.string(Text(String(repeating: "é", count: 100)))
    #expect(value.prettyText(style) == "\"éééé… (193 more)")
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `no value is shown with many more bytes than allowed`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    var style = PrettyStyle()
    style.byteCountMax = 500
    let items = (0..<200).map { _ in values.value(depth: 6) }
    // Closing everything that is open when the bytes run out takes two lines.
    let slack = 300
    #expect(Value.list(List(items)).prettyText(style).utf8.count < 500 + slack, "seed \(seed)")
  }

  @Test func `pieces say what they are and make up the text`() {
    let value: Value = ["a": [1, "x"], 5: nil]
    var pieces: [(PrettyToken, String)] = []
    value.writePretty { pieces.append(($0, $1)) }
    #expect(pieces.map(\.1).joined() == value.prettyText())
    let kinds = pieces.filter { $0.0 != .punctuation && $0.0 != .space }
    #expect(kinds.map(\.0) == [.key, .word, .key, .number, .string])
    #expect(kinds.map(\.1) == ["5", "null", "a", "1", "\"x\""])
  }

  @Test(arguments: [.min, -1, 0, 1, .max] as [Int])
  func `limits may be any number`(limit: Int) {
    let value: Value = [["a": "some words"], [1, 2.5, nil], "é"]
    for field in [\PrettyStyle.width, \.depthMax, \.itemCountMax, \.byteCountMax] {
      var style = PrettyStyle()
      style[keyPath: field] = limit
      #expect(!value.prettyText(style).isEmpty)
    }
  }
}
