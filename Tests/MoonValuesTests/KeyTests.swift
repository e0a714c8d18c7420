import MoonValues
import Testing

struct KeyTests {
  @Test func `keys are ordered as integers first and then texts by bytes`() {
    let sorted: [Key] = [-5, 0, 7, 10, "", "1", "10", "9", "Z", "a", "é"]
    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test func `an integer key isn't the text of it`() {
    #expect(Key.int(1) != Key.string("1"))
    #expect(Key.int(1).description == "1")
    #expect(Key.string("one").description == "one")
  }
}
