import Foundation
import Glibc
import MoonTerminal
import MoonTestSupport
import Synchronization
import Testing

/// Serialized, because a process can have only one editor at a time.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(5)))
struct LineEditorTests {
  @Test func `a typed line is returned at Enter`() throws {
    let session = try EditorSession()
    #expect(try session.read("hello\r") == .line("hello"))
    #expect(try session.read("\r") == .line(""))
    #expect(!session.terminal.isRaw)
  }

  @Test(arguments: [
    ("abx\u{7F}c\r", "abc"),
    ("bc\u{1}a\u{5}d\r", "abcd"),
    ("bc\u{1B}[D\u{1B}[Da\r", "abc"),
    ("ac\u{1B}[D\u{1B}[Da\u{1B}[Cb\r", "aabc"),
    ("bc\u{1B}[Ha\u{1B}[Fd\r", "abcd"),
    ("bc\u{1B}OHa\u{1B}OFd\r", "abcd"),
    ("bc\u{1B}[1~a\u{1B}[4~d\r", "abcd"),
    ("xab\u{1B}[H\u{1B}[3~\r", "ab"),
    ("one two\u{1B}b1\r", "one 1two"),
    ("one two\u{1B}[1;5D\u{1B}[1;5D1\r", "1one two"),
    ("one two\u{17}2\r", "one 2"),
    ("one\u{1}\u{B}two\r", "two"),
  ])
  func `keys edit the line`(keys: String, line: String) throws {
    #expect(try EditorSession().read(keys) == .line(line))
  }

  @Test func `letters of all scripts are letters`() throws {
    let session = try EditorSession()
    #expect(try session.read("grün日本é🙂\u{7F}x\r") == .line("grün日本éx"))
    try session.expect(["> grün日本éx"])
    #expect(try session.read("日本\u{1}x\r") == .line("x日本"))
    try session.expect(["> grün日本éx", "> x日本"])
    #expect(try session.read("日\u{3}") == .interrupted)
    try session.expect(["> grün日本éx", "> x日本", "> 日^C"])
    try session.prompt()
    session.type("日\u{C}")
    try session.expect(["> 日"])
    session.type("\r")
    #expect(try session.answer() == .line("日"))
  }

  @Test func `Ctrl-C gives the line up and the next one begins empty`() throws {
    let session = try EditorSession()
    try session.prompt()
    session.type("some\u{1B}[D\u{1B}[D\u{3}")
    #expect(try session.answer() == .interrupted)
    try session.expect(["> some^C"])
    #expect(try session.read("next\r") == .line("next"))
  }

  @Test func `Ctrl-D ends the input on an empty line only`() throws {
    let session = try EditorSession()
    #expect(try session.read("ab\u{1B}[D\u{4}\r") == .line("a"))
    #expect(try session.read("\u{4}") == .endOfInput)
  }

  @Test func `a terminal that goes away ends the input`() throws {
    let session = try EditorSession()
    try session.prompt()
    session.type("half")
    try session.expect(["> half"])
    session.terminal.hangUp()
    #expect(try session.answer() == .endOfInput)
  }

  @Test func `a paste of several lines is one entry`() throws {
    let session = try EditorSession()
    try session.prompt()
    session.type("x = \u{1B}[200~{\r\n\t1,\u{1B}[31m\u{3}\r2\n}\n\u{1B}[201~")
    try session.expect(["> x = {", "        1,[31m", "2", "}"])
    session.type(" -- end\r")
    #expect(try session.answer() == .line("x = {\n\t1,[31m\n2\n} -- end"))
  }

  @Test func `a long paste arrives whole`() throws {
    let session = try EditorSession()
    try session.prompt()
    let text = (0..<200).map { "local v\($0) = \($0)" }.joined(separator: "\n")
    session.type("\u{1B}[200~\(text)\u{1B}[201~\r")
    #expect(try session.answer() == .line(text))
  }

  @Test func `a coloured prompt takes the columns that are seen`() throws {
    let session = try EditorSession(columns: 12)
    let style = Style(.always, target: .other, environment: [:])
    try session.prompt(style.paint("moon", .prompt) + style.paint("> ", .dim))
    #expect(session.screen.raw.contains("\u{1B}[1;34mmoon"))
    session.type("123456789\u{1}X")
    try session.wait("the cursor after the X") {
      $0.lines == ["moon> X12345", "6789"] && $0.row == 0 && $0.column == 7
    }
  }

  @Test func `a prompt cannot steer the terminal`() throws {
    let session = try EditorSession()
    try session.prompt("x \u{7}y> ", shown: "x  y>")
    session.type("a\r")
    #expect(try session.answer() == .line("a"))
    #expect(session.screen.bellCount == 0)
    #expect(session.screen.lines == ["x  y> a"])
  }

  @Test func `another window size lays the line out anew`() throws {
    let session = try EditorSession(columns: 40)
    try session.prompt()
    session.type("0123456789012345")
    try session.expect(["> 0123456789012345"])
    session.resize(columns: 10, rows: 20)
    try session.expect(["> 01234567", "89012345"])
    session.type("\r")
    #expect(try session.answer() == .line("0123456789012345"))
  }

  @Test func `the user's bindings hold, and Ctrl-C stays`() throws {
    let path = NSTemporaryDirectory() + "moonwire-editrc-\(getpid())"
    try "bind -v\nbind ^T ed-move-to-beg\n".write(toFile: path, atomically: true, encoding: .utf8)
    defer { unlink(path) }
    var options = EditorSession.plainOptions
    options.bindings = .file(path)
    let session = try EditorSession(options: options)
    #expect(try session.read("bc\u{14}a\r") == .line("abc"))
    #expect(try session.read("bc\u{1B}\u{3}") == .interrupted)
  }

  @Test func `what isn't a terminal isn't edited`() throws {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    defer { ends.forEach { close($0) } }
    let descriptors = TerminalDescriptors(input: ends[0], output: ends[1], error: ends[1])
    #expect(throws: LineEditorError.notATerminal) { try LineEditor(on: descriptors) }
    #expect(
      !LineEditor.isUsable(input: ends[0], output: ends[1], environment: ["TERM": "xterm"]))
  }

  @Test(arguments: [("xterm", true), ("dumb", false), ("", false), (nil, false)])
  func `the terminal's type decides whether lines can be edited`(
    type: String?, isUsable: Bool
  ) throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let environment = type.map { ["TERM": $0] } ?? [:]
    #expect(
      LineEditor.isUsable(input: terminal.slave, output: terminal.slave, environment: environment)
        == isUsable)
  }

  @Test func `an unknown terminal type is taken for an xterm`() throws {
    var options = EditorSession.plainOptions
    options.terminalType = "moonwire-unheard-of"
    let session = try EditorSession(options: options)
    #expect(try session.read("bc\u{1}a\r") == .line("abc"))
    try session.expect(["> abc"])
  }
}
