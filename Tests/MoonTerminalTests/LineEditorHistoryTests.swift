import Foundation
import Glibc
import MoonTerminal
import MoonTestSupport
import Synchronization
import Testing

extension LineEditorTests {
  @Suite struct History {
    @Test func `the arrows walk through the entries`() throws {
      let session = try EditorSession()
      #expect(try session.read("one\r") == .line("one"))
      #expect(try session.read("two\r") == .line("two"))
      #expect(try session.read("\u{1B}[A\u{1B}[A\u{1B}[B!\r") == .line("two!"))
      #expect(try session.read("\u{1B}OA\u{1B}OA\u{1B}OA\r") == .line("one"))
    }

    @Test func `Ctrl-R finds an entry by a part of it`() throws {
      let session = try EditorSession()
      for line in ["reload cart", "state", "quit"] { _ = try session.read(line + "\r") }
      #expect(try session.read("\u{12}oad\u{5} now\r") == .line("reload cart now"))
    }

    @Test func `entries survive in the file, those of several lines too`() throws {
      let folder = try TemporaryFolder()
      var options = EditorSession.plainOptions
      options.history = HistoryFile(path: folder.path + "/state/moonwire/history")
      let pasted = "a\\n = {\n\t1\n}"
      do {
        let session = try EditorSession(options: options)
        _ = try session.read("\u{1B}[200~\(pasted)\u{1B}[201~\r")
        _ = try session.read("last\r")
      }
      let session = try EditorSession(options: options)
      #expect(try session.read("\u{1B}[A\u{1B}[A\r") == .line(pasted))
      #expect(try options.history?.entries() == [pasted, "last", pasted])
    }

    @Test func `some lines are not worth an entry`() throws {
      let folder = try TemporaryFolder()
      var options = EditorSession.plainOptions
      options.history = HistoryFile(path: folder.path + "/history")
      let session = try EditorSession(options: options)
      for line in ["one", "one", " secret", "", "two", "one"] { _ = try session.read(line + "\r") }
      try session.prompt(recording: .nothing)
      session.type("unrecorded\r")
      #expect(try session.answer() == .line("unrecorded"))
      session.editor.record("recorded\nby hand")
      #expect(try options.history?.entries() == ["one", "two", "one", "recorded\nby hand"])
      #expect(try session.read("\u{1B}[A\r") == .line("recorded\nby hand"))
    }

    @Test func `a useless history file is reported once and does no harm`() throws {
      let folder = try TemporaryFolder()
      try "in the way".write(
        toFile: folder.path + "/file", atomically: true, encoding: .utf8)
      let path = folder.path + "/file/history"
      var options = EditorSession.plainOptions
      options.history = HistoryFile(path: path)
      let reported = Reports()
      let session = try EditorSession(
        options: options,
        onHistoryFailure: { error in reported.errors.withLock { $0.append(error) } })
      #expect(try session.read("one\r") == .line("one"))
      #expect(try session.read("\u{1B}[A2\r") == .line("one2"))
      #expect(
        reported.errors.withLock { $0 } == [.unreadable(path: path, code: ENOTDIR)])
    }
  }
}

private final class Reports: Sendable {
  let errors = Mutex<[HistoryError]>([])
}
