import MoonTestSupport
import Testing

@testable import MoonServices

/// The lines of output that comes in pieces.
struct LineSplitterTests {
  @Test(arguments: 0..<20)
  func `the lines don't depend on the pieces`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let text = (0..<200).map { _ in random.pick(["a", "b", "\n", "\r", "\r\n"]) }.joined()
    let bytes = Array(text.utf8)
    let expected = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? Array($0.dropLast()) : Array($0) }
    var splitter = LineSplitter()
    var lines: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + random.below(9))
      let more = splitter.lines(adding: Array(bytes[start..<end]))
      lines += try #require(more)
      start = end
    }
    #expect(lines == Array(expected.dropLast()))
  }

  @Test func `a line has a limit, with and without its end`() {
    let long = [UInt8](repeating: 120, count: LineSplitter.bytesMax)
    var splitter = LineSplitter()
    #expect(splitter.lines(adding: long) == [])
    var ended = splitter
    #expect(ended.lines(adding: [10]) == [long])
    #expect(splitter.lines(adding: [120]) == nil)
  }
}
