import Glibc
import MoonTerminal
import MoonTestSupport
import Testing

@Suite(.ownThread) struct PlainLineReaderTests {
  /// Returns all results of reading a file with these bytes.
  private func results(_ bytes: [UInt8]) throws -> [Result<ReadResult, LineReadError>] {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.path + "/input", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      rest = rest.dropFirst(try #require(count > 0 ? count : nil))
    }
    lseek(descriptor, 0, SEEK_SET)
    var reader = PlainLineReader(input: descriptor, output: -1)
    var results: [Result<ReadResult, LineReadError>] = []
    repeat {
      do throws(LineReadError) {
        results.append(.success(try reader.readLine(prompt: "unseen")))
      } catch {
        results.append(.failure(error))
      }
    } while results.last != .success(.endOfInput) && results.count < 100
    return results
  }

  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\n", ["", ""]),
      ("a\r\nb\r", ["a", "b"]), ("grün\n日本\n", ["grün", "日本"]),
    ] as [(String, [String])])
  func `lines end at newlines and at the end`(input: String, lines: [String]) throws {
    let expected = lines.map { ReadResult.line($0) } + [.endOfInput]
    #expect(try results(Array(input.utf8)) == expected.map { .success($0) })
  }

  @Test func `bytes that are no text become replacement characters`() throws {
    #expect(try results([0x61, 0xFF, 0x0A]).first == .success(.line("a\u{FFFD}")))
  }

  @Test(arguments: [0, 1, 200_000])
  func `a line may be as long as the limit and no longer`(excess: Int) throws {
    let max = PlainLineReader.lineByteCountMax
    let line = [UInt8](repeating: 0x78, count: max + excess)
    let results = try results(line + Array("\nnext\n".utf8))
    if excess == 0 {
      #expect(results.first == .success(.line(String(repeating: "x", count: max))))
    } else {
      #expect(results.first == .failure(.lineTooLong(byteCountMax: max)))
    }
    #expect(results.dropFirst() == [.success(.line("next")), .success(.endOfInput)])
  }

  @Test func `a closed descriptor is an error`() {
    var reader = PlainLineReader(input: -1, output: -1)
    #expect(throws: LineReadError.unreadable(code: EBADF)) { try reader.readLine() }
  }

  @Test func `a terminal is shown the prompt`() throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    var reader = PlainLineReader(input: terminal.slave, output: terminal.slave)
    terminal.type("typed\n")
    #expect(try reader.readLine(prompt: "? ") == .line("typed"))
    // The echo of the typed text may arrive separately.
    var shown: [UInt8] = []
    var ready = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
    while !String(decoding: shown, as: UTF8.self).contains("? ") {
      try #require(poll(&ready, 1, Int32(ProgramRun.secondsMax) * 1_000) == 1, "\(shown)")
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = read(terminal.master, &bytes, bytes.count)
      try #require(count > 0)
      shown += bytes.prefix(count)
    }
  }
}
