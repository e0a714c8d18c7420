import Glibc
import MoonTerminal
import Synchronization
import Testing

struct OutputTests {
  private func pipeEnds() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    return (ends[0], ends[1])
  }

  @Test func `a reader that has gone is reported once`() throws {
    signal(SIGPIPE, SIG_IGN)
    let ends = pipeEnds()
    close(ends.reading)
    defer { close(ends.writing) }
    let output = Output(descriptor: ends.writing)
    #expect(throws: OutputError.closed) { try output.write("a") }
    try output.write("b")
  }

  @Test func `a closed descriptor is reported once`() throws {
    let output = Output(descriptor: -1)
    try output.write("")
    #expect(throws: OutputError.closed) { try output.write("a") }
    try output.write("b")
  }

  @Test func `a full disk is an error with its code`() {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: OutputError.failed(code: ENOSPC)) {
      try Output(descriptor: descriptor).write("a")
    }
  }

  @Test func `a slow reader gets everything`() async throws {
    let ends = pipeEnds()
    // The kernel's buffer is smaller than the text, and the writing end is non-blocking.
    _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
    let text = String(repeating: "0123456789", count: 100_000)
    async let written: Void = {
      try Output(descriptor: ends.writing).write(text)
      close(ends.writing)
    }()
    var received: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(ends.reading, &bytes, bytes.count)
      guard count > 0 else { break }
      received += bytes[..<count]
    }
    try await written
    close(ends.reading)
    #expect(received == Array(text.utf8))
  }

  @Test func `a log that nobody reads holds nothing up, and then says what is missing`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    func read() -> String {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = Glibc.read(ends[0], &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    let log = Output(log: ends[1]) { "\($0) missing\n" }
    let line = String(repeating: "x", count: 9_999) + "\n"
    for _ in 0..<20 { try log.write(line) }
    let kept = read()
    #expect(kept.hasPrefix(line))
    try log.write("last\n")
    let rest = read()
    let missing = try #require(Int(rest.prefix { $0.isNumber }))
    #expect(rest == "\(missing) missing\nlast\n")
    // The one that was being written was cut off.
    #expect(kept.count / line.count + missing == 20)
    try log.write("more\n")
    #expect(read() == "more\n")
  }
}
