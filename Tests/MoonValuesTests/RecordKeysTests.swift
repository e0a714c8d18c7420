import MoonValues
import Testing

struct RecordKeysTests {
  @Test func `maps that share keys are maps like others`() {
    let sorted = RecordKeys("a", "a name that isn't stored inline", "b")
    var made = sorted.map(1, "two", [3])
    let plain: Map = ["b": [3], "a": 1, "a name that isn't stored inline": "two"]
    #expect(made == plain)
    #expect(Value.map(made).storageCost == Value.map(plain).storageCost)
    #expect(Value.map(made).canonicalText == Value.map(plain).canonicalText)
    made["c"] = true
    made["a"] = nil
    #expect(made == ["b": [3], "a name that isn't stored inline": "two", "c": true])
    #expect(sorted.map(1, "two", [3]) == plain)
  }
}
