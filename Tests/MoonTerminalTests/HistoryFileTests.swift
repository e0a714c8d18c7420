import Foundation
import Glibc
import MoonTerminal
import MoonTestSupport
import Testing

struct HistoryFileTests {
  private let folder: TemporaryFolder
  private var file: HistoryFile { HistoryFile(path: folder.path + "/a/b/history") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func write(_ text: String) throws {
    try file.append("x")
    try text.write(toFile: file.path, atomically: false, encoding: .utf8)
  }

  @Test func `no file has no entries`() throws {
    #expect(try file.entries().isEmpty)
  }

  @Test func `file and folders are the user's alone`() throws {
    try file.append("secret")
    #expect(mode(file.path) == 0o600)
    #expect(mode(folder.path + "/a") == 0o700)
    #expect(mode(folder.path + "/a/b") == 0o700)
    chmod(file.path, 0o644)
    try file.append("more")
    #expect(mode(file.path) == 0o600)
  }

  @Test func `entries come back as they were`() throws {
    let entries = ["a", "two\nlines", "back\\slash\\n", "\\", "tab\t", "cr\r\n", "grün 日本 🙂", "\n"]
    for entry in entries { try file.append(entry) }
    #expect(try file.entries() == entries)
  }

  @Test func `processes that append at once lose nothing`() async throws {
    let file = file
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { for n in 0..<100 { try file.append("\(writer)\n\(n)") } }
      }
      try await group.waitForAll()
    }
    let entries = try file.entries()
    #expect(entries.count == 400)
    for writer in 0..<4 {
      let own = entries.filter { $0.hasPrefix("\(writer)\n") }
      #expect(own == (0..<100).map { "\(writer)\n\($0)" })
    }
  }

  @Test func `half a line left behind is an entry of its own`() throws {
    try write("one\nhal")
    try file.append("two")
    #expect(try file.entries() == ["one", "hal", "two"])
  }

  @Test func `only the newest entries are read, and a file much too long is rewritten`() throws {
    let max = HistoryFile.entryCountMax
    try write((0..<(max + 10)).map { "entry \($0)\n" }.joined())
    #expect(try file.entries() == (10..<(max + 10)).map { "entry \($0)" })
    try write((0..<(max + 2_000)).map { "entry \($0)\n" }.joined())
    #expect(try file.entries().count == max)
    let bytes = try Data(contentsOf: URL(filePath: file.path))
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == max)
    #expect(mode(file.path) == 0o600)
    try file.append("next")
    #expect(try file.entries().suffix(2) == ["entry \(max + 1_999)", "next"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b")
    #expect(names == ["history"])
  }

  @Test func `bytes that are no text do no harm`() throws {
    try file.append("x")
    try Data([0x61, 0xFF, 0x00, 0x62, 0x0A]).write(to: URL(filePath: file.path))
    #expect(try file.entries() == ["a\u{FFFD}b"])
  }

  @Test func `what cannot be a history file says so`() throws {
    let directory = HistoryFile(path: folder.path)
    #expect(throws: HistoryError.unreadable(path: folder.path, code: EISDIR)) {
      try directory.entries()
    }
    #expect(throws: HistoryError.unwritable(path: folder.path, code: EISDIR)) {
      try directory.append("x")
    }
    let null = HistoryFile(path: "/dev/null")
    try null.append("forgotten")
    #expect(try null.entries().isEmpty)
  }
}
