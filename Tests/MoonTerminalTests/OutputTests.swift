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
}
