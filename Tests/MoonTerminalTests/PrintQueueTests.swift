import Testing

@testable import MoonTerminal

struct PrintQueueTests {
  @Test func `only the first text wakes the reader`() {
    var queue = PrintQueue()
    #expect(queue.add(.init(text: "", stream: .output)) == .later)
    #expect(queue.add(.init(text: "a", stream: .output)) == .first)
    #expect(queue.add(.init(text: "b", stream: .error)) == .later)
    #expect(queue.takeAll().map(\.text) == ["a", "b"])
    #expect(queue.takeAll().isEmpty)
    #expect(queue.add(.init(text: "c", stream: .output)) == .first)
  }

  @Test func `what exceeds the limit is counted in lines`() {
    var queue = PrintQueue()
    for _ in 0..<PrintQueue.lineCountMax {
      _ = queue.add(.init(text: "line\n", stream: .output))
    }
    _ = queue.add(.init(text: "one", stream: .output))
    _ = queue.add(.init(text: "two\nthree\n", stream: .output))
    let texts = queue.takeAll().map(\.text)
    #expect(texts.count == PrintQueue.lineCountMax + 1)
    #expect(texts.last == "… 3 lines dropped\n")
  }

  @Test func `one text too large for the queue is reported too`() {
    var queue = PrintQueue()
    let huge = String(repeating: "x", count: PrintQueue.byteCountMax + 1)
    #expect(queue.add(.init(text: huge, stream: .output)) == .first)
    #expect(queue.add(.init(text: huge, stream: .output)) == .later)
    #expect(queue.takeAll().map(\.text) == ["… 2 lines dropped\n"])
  }
}
