import MoonTerminal
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonPrompt

struct PromptLineTests {
  static let lines: [(String, PromptLine)] = [
    ("", .nothing), ("   \t", .nothing), ("# counter/add", .nothing), ("  #", .nothing),
    ("counter/add", .dispatch(Action("counter/add"))),
    ("  counter/add  ", .dispatch(Action("counter/add"))),
    ("counter/add by=2", .dispatch(Action("counter/add", ["by": 2]))),
    ("counter/add by=2.0", .dispatch(Action("counter/add", ["by": 2.0]))),
    (
      "a/b by=2 name=\"Max M\" tags=[1, 2] done=true x=null",
      .dispatch(
        Action("a/b", ["by": 2, "name": "Max M", "tags": [1, 2], "done": true, "x": .null]))
    ),
    ("a/b m={\"k\": {\"l\": []}} n=1", .dispatch(Action("a/b", ["m": ["k": ["l": []]], "n": 1]))),
    ("a/b title=Buy why=it's", .dispatch(Action("a/b", ["title": "Buy", "why": "it's"]))),
    ("a/b x=01 y=-1 z=a=b", .dispatch(Action("a/b", ["x": "01", "y": -1, "z": "a=b"]))),
    ("a/b \"two words\"=1", .dispatch(Action("a/b", ["two words": 1]))),
    ("a/b größe=ä", .dispatch(Action("a/b", ["größe": "ä"]))),
    ("a/b {\"by\": 2}", .dispatch(Action("a/b", ["by": 2]))),
    ("a/b [1]", .dispatch(Action("a/b", [1]))), ("a/b 5", .dispatch(Action("a/b", 5))),
    ("a/b \"text\"", .dispatch(Action("a/b", "text"))), ("a/b null", .dispatch(Action("a/b"))),
    (
      "a/b t='Max M' u='' q='say \"hi\"' w='it\\'s \\u0041' 'two words'='1' x='y'z",
      .dispatch(
        Action(
          "a/b",
          [
            "t": "Max M", "u": "", "q": "say \"hi\"", "w": "it's A", "two words": "1", "x": "'y'z",
          ]))
    ),
    ("a/b 'a text'", .dispatch(Action("a/b", "a text"))),
    ("a/b t='tis u=o'clock", .dispatch(Action("a/b", ["t": "'tis", "u": "o'clock"]))),
    (":tap 'Log out'", .command(TapCommand(.name("Log out")))),
    (":tap 'Log' out", .command(TapCommand(.name("'Log' out")))),
    (
      ":input 'first name'='Max M' why='tis",
      .command(
        InputCommand([
          InputText(name: "first name", text: "Max M"), InputText(name: "why", text: "'tis"),
        ]))
    ),
    (":open /a t='a b'", .command(OpenCommand("/a", ["t": "a b"]))),
    ("= 1 + 1", .evaluate("1 + 1")), ("=x", .evaluate("x")),
    ("= for i=1,2 do\nend", .evaluate("for i=1,2 do\nend")),
    (":state", .command(StateCommand(Path()))),
    (
      ":state todo.items[3] ",
      .command(StateCommand(Path([.key("todo"), .key("items"), .index(3)])))
    ),
    (":modules", .command(ModulesCommand())), (":actions", .command(ActionsCommand(nil))),
    (":actions todo", .command(ActionsCommand("todo"))),
    (":log", .command(LogCommand(20))), (":log 5", .command(LogCommand(5))),
    (":history 7", .command(HistoryCommand(7))),
    (":reload", .command(ReloadCommand(nil))), (":reload todo", .command(ReloadCommand("todo"))),
    (":help", .command(HelpCommand(nil))),
    (":resume", .command(ResumeCommand(nil))), (":resume todo", .command(ResumeCommand("todo"))),
    (":screen", .command(ScreenCommand(nil))),
    (":screen detail-2 ", .command(ScreenCommand("detail-2"))),
    (":tap 2", .command(TapCommand(.number(2)))),
    (":tap Save all ", .command(TapCommand(.name("Save all")))),
    (":tap \"2\"", .command(TapCommand(.name("2")))),
    (":tap \"Save", .command(TapCommand(.name("\"Save")))),
    (":input a=b", .command(InputCommand([InputText(name: "a", text: "b")]))),
    (
      ":input n=1.0 \"first name\"=\"Max M\" e= x=[1",
      .command(
        InputCommand([
          InputText(name: "n", text: "1.0"), InputText(name: "first name", text: "Max M"),
          InputText(name: "e", text: ""), InputText(name: "x", text: "[1"),
        ]))
    ),
    (":back", .command(BackCommand(nil))), (":nav", .command(NavCommand())),
    (":open /a?b=c", .command(OpenCommand("/a?b=c", [:]))),
    (":open app://x n=1 t=\"a b\"", .command(OpenCommand("app://x", ["n": 1, "t": "a b"]))),
    (":open /a {\"n\": 1}", .command(OpenCommand("/a", ["n": 1]))),
    (":routes", .command(RoutesCommand(nil))), (":routes /a", .command(RoutesCommand("/a"))),
    (":help state", .command(HelpCommand(StateCommand.manual))),
    (":help :log", .command(HelpCommand(LogCommand.manual))), (":quit", .command(QuitCommand())),
  ]

  @Test(arguments: lines)
  func `a line is read as what it says`(text: String, expected: PromptLine) throws {
    #expect(try PromptLine(parsing: text) == expected)
  }

  static let faulty: [(String, PromptLineError.Reason, Int)] = [
    ("counter", .notAnAction("counter", .action), 1),
    ("  /add", .notAnAction("/add", .url), 3),
    ("app://x", .notAnAction("app://x", .url), 1),
    ("print(1)", .notAnAction("print(1)", .lua), 1),
    ("state", .notAnAction("state", .command(StateCommand.manual)), 1),
    ("exit", .notAnAction("exit", .command(QuitCommand.manual)), 1),
    (":stat", .unknownCommand("stat"), 2),
    (":", .unknownCommand(""), 2),
    (":help xyzzy", .unknownTopic("xyzzy"), 7),
    (":modules all", .unexpectedArgument(ModulesCommand.manual), 10),
    (":state a..b", .notAPath("a..b", .unexpectedByte(UInt8(ascii: "."), column: 3)), 10),
    (":state a[", .notAPath("a[", .unexpectedEnd(column: 3)), 10),
    (":resume 1x", .notAModuleName("1x"), 9),
    (":reload 1x", .notAModuleName("1x"), 9), (":log many", .notACount("many"), 6),
    (":log 0", .notACount("0"), 6), ("=", .nothingToEvaluate, 2), ("=   ", .nothingToEvaluate, 5),
    ("a/b by", .notAField("by"), 5), ("a/b by=1 x y=2", .notAField("x"), 10),
    ("a/b =1", .notAField("=1"), 5), ("a/b by=", .missingValue("by"), 8),
    ("a/b by= 2", .missingValue("by"), 8), ("a/b x=1 x=2", .duplicateField("x"), 9),
    ("a/b ä=1 ä=2", .duplicateField("ä"), 9),
    ("a/b x=\"open", .notJSON(.unexpectedEnd), 12),
    ("a/b x=[1,", .notJSON(.unexpectedEnd), 10), ("a/b x=\"a\"b", .textAfterValue, 10),
    (":tap", .missingArgument(TapCommand.manual), 5),
    (":input ", .missingArgument(InputCommand.manual), 8),
    (":open", .missingArgument(OpenCommand.manual), 6),
    (":back x", .notACount("x"), 7), (":nav 2", .unexpectedArgument(NavCommand.manual), 6),
    (":input a", .notAField("a"), 8), (":input a=1 a=2", .duplicateField("a"), 12),
    (":input a=\"x", .notJSON(.unexpectedEnd), 12), (":open /a 5", .notAField("5"), 10),
    (":open /a b", .notAField("b"), 10),
    (":record r.jsonl foo=bar", .unknownOption("foo=bar", nearest: nil), 17),
    (":record my r redat=a.b", .unknownOption("redat=a.b", nearest: "redact"), 14),
    (":record r --redact a.b", .unknownOption("--redact", nearest: "redact"), 11),
    (":record r REDACT=a.b redact=a.c", .unknownOption("REDACT=a.b", nearest: "redact"), 11),
    (":record a=b.jsonl", .unknownOption("a=b.jsonl", nearest: nil), 9),
    (":record r =a.b", .unknownOption("=a.b", nearest: nil), 11),
    (":timeline export r redct=a.b", .unknownOption("redct=a.b", nearest: "redact"), 20),
    (":record redact=a.b", .missingArgument(RecordCommand.manual), 9),
    (":record r redact=", .notARedaction(""), 9), (":record r redact=a", .notARedaction("a"), 9),
    (":record r redact=a.b c=d", .notARedaction("a.b c=d"), 9),
    ("a/b {by: 2}", .notJSON(.unexpectedByte(UInt8(ascii: "b"))), 6),
    ("a/b {} x", .notJSON(.trailingText), 8),
  ]

  @Test(arguments: faulty)
  func `a faulty line names its fault and column`(
    text: String, reason: PromptLineError.Reason, column: Int
  ) {
    #expect(throws: PromptLineError(reason: reason, column: column)) {
      try PromptLine(parsing: text)
    }
  }

  @Test(arguments: [
    (":timeline cut 3", "column 15: :timeline cut takes nothing", "write :timeline cut alone"),
    (
      ":timeline export", "column 17: :timeline export needs something after it",
      "as in :timeline export bug.jsonl"
    ),
    (
      ":timeline skip ", "column 16: :timeline skip needs something after it",
      "as in :timeline skip 12"
    ),
    (
      ":timeline move", "column 15: :timeline move needs something after it",
      "as in :timeline move 12 7"
    ),
  ])
  func `an error in a change of the timeline names the change`(
    text: String, headline: String, help: String
  ) {
    let error = #expect(throws: PromptLineError.self) { try PromptLine(parsing: text) }
    #expect(error?.report.headline == headline)
    #expect(error?.report.rows.map(\.text) == [help])
  }

  @Test func `random bytes are read or refused, and never anything else`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let pieces = [
      "a/b", " ", "=", "\"", "{", "}", "[", "]", ":", "\\", ",", "1", "x=", "state", "é",
    ]
    for _ in 0..<5_000 {
      var bytes: [UInt8] = []
      for _ in 0..<random.below(12) {
        if random.below(3) == 0 {
          bytes.append(UInt8(random.below(256)))
        } else {
          bytes += Array(pieces[random.below(pieces.count)].utf8)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(PromptLineError) {
        _ = try PromptLine(parsing: text)
      } catch {
        #expect(
          error.column >= 1 && error.column <= text.unicodeScalars.count + 1,
          "seed \(seed): \(text.debugDescription)")
      }
      let cursor = random.below(bytes.count + 1)
      let completion = PromptCompleter(snapshot: .sample).completion(of: text, cursor: cursor)
      #expect(completion.replaceFrom <= max(cursor, text.utf8.count), "seed \(seed)")
    }
  }
}
