import MoonValues
import Testing

struct ValueTests {
  @Test(
    arguments: [
      (.int(1), .double(1)), (.double(0.0), .double(-0.0)), (.null, .bool(false)),
      (.string("1"), .int(1)), (.list([]), .map([:])), (.list([1]), .list([1.0])),
      (.bool(true), .bool(false)), (.map(["a": 1]), .map(["b": 1])),
    ] as [(Value, Value)])
  func `what isn't written alike isn't equal`(left: Value, right: Value) {
    #expect(left != right)
    #expect(left.canonicalText != right.canonicalText)
    #expect(!left.isIdentical(to: right))
  }

  @Test func `accessors answer for their own kind alone`() {
    let value: Value = [
      "int": 1, "double": 1.5, "bool": true, "text": "t", "list": [1], "map": ["a": 1],
    ]
    #expect(value["int"]?.intValue == 1)
    #expect(value["int"]?.doubleValue == nil)
    #expect(value["double"]?.doubleValue == 1.5)
    #expect(value["double"]?.intValue == nil)
    #expect(value["bool"]?.boolValue == true)
    #expect(value["text"]?.textValue == "t")
    #expect(value["text"]?.stringValue == "t")
    #expect(value["list"]?.listValue == [1])
    #expect(value["map"]?.mapValue == ["a": 1])
    #expect(value["map"]?["a"] == 1)
    #expect(value["absent"] == nil)
    #expect(value["int"]?["a"] == nil)
    #expect(value["int"]?.boolValue == nil)
    #expect(value["int"]?.textValue == nil)
    #expect(value["int"]?.stringValue == nil)
    #expect(value["int"]?.listValue == nil)
    #expect(value["int"]?.mapValue == nil)
  }

  @Test func `a null in a map is there and an absent entry isn't`() {
    let map: Map = ["a": nil]
    #expect(map.count == 1)
    #expect(map["a"] == .some(.null))
    #expect(map["b"] == .none)
  }

  @Test func `a copy is identical and an equal value made anew isn't`() {
    let value: Value = ["a": [1, 2, 3]]
    let copy = value
    #expect(copy.isIdentical(to: value))
    #expect(Value.map(["a": [1, 2, 3]]) == value)
    #expect(!Value.map(["a": [1, 2, 3]]).isIdentical(to: value))
    #expect(Value.list([]).isIdentical(to: .list(List())))
    #expect(Value.double(.infinity).isIdentical(to: .double(.infinity)))
  }

  @Test func `equality of random values is equality of their canonical text`() {
    var values = RandomValues(seed: 5)
    let samples = (0..<120).map { _ in values.value(depth: 2) }
    for a in samples {
      for b in samples {
        #expect((a == b) == (a.canonicalText == b.canonicalText))
      }
    }
  }
}
