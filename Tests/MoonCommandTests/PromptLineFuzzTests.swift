import MoonTestSupport
import Moonwire
import Testing

@testable import MoonCommand

/// Lines at random: what is wrong is said where it is, and what is right means the same when it's
/// written another way.
struct PromptLineFuzzTests {
  static let lines = FuzzGrammar(
    seeds: [
      "counter/add by=2", "a/b {\"by\": [1, 2]}", "a/b m={\"k\": {}} n=1 t=\"x y\"", "= 1 + 1",
      ":state todo.items[3]", ":help log", ":log 5", ":reload todo", "# remark",
      "a/b \"two words\"=1",
      "todo/add title=Buy milk=2", ":actions", "a/b \"text\"",
    ],
    pieces: [
      "=", ":", "#", " ", "\t", "/", "\"", "{", "}", "[", "]", ",", "a/b", "by=", "x=1", "\"k\"=",
      "true", "null", "-", "1e5", ":state ", ":log ", ".", "\\", "counter",
    ])

  @Test func `any text is a line or an error within it`() {
    let failure = Fuzzing("prompt", cases: 6000).firstFailure(
      make: { Self.lines.text(&$0) }, check: { bytes, _ in Self.problem(of: bytes) })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(of bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(PromptLineError) {
      let line = try PromptLine(parsing: text)
      let written: String
      switch line {
      case .dispatch(let action): written = "\(action.type) \(action.payload.canonicalText)"
      case .state(let path): written = ":state \(path)"
      case .log(let count): written = ":log \(count)"
      case .history(let count): written = ":history \(count)"
      case .reload(let name): written = ":reload \(name ?? "")"
      case .actions(let name): written = ":actions \(name ?? "")"
      case .evaluate(let text): written = "= \(text)"
      case .nothing, .modules, .help, .quit: return nil
      }
      guard let again = try? PromptLine(parsing: written) else { return "can't read \(written)" }
      return again == line ? nil : "\(written) is read as \(again)"
    } catch {
      let count = text.unicodeScalars.count
      return (1...count + 1).contains(error.column)
        ? nil : "column \(error.column) of \(count): \(error.reason)"
    }
  }
}
