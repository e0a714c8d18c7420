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
      ":open /a/b?c=d n=1 t=\"x y\"", ":open app://x {\"n\": 1}", ":tap 2", ":tap \"Save all\"",
      ":input name=Max \"first name\"=\"M\"", ":routes /a", ":screen detail-2", ":resume todo",
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

  private static func quoted(_ text: String) -> String { Value.string(Text(text)).canonicalText }

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
      case .resume(let name): written = ":resume \(name ?? "")"
      case .screen(let id): written = ":screen \(id ?? "")"
      case .routes(let url): written = ":routes \(url.map(\.string) ?? "")"
      case .open(let url, let fields):
        written = ":open \(url) \(fields.isEmpty ? "" : Value.map(fields).canonicalText)"
      case .input(let texts):
        let all = texts.map { "\(quoted($0.name))=\(quoted($0.text))" }
        written = ":input \(all.joined(separator: " "))"
      case .tap(.number(let number)): written = ":tap \(number)"
      case .tap(.name(let name)): written = ":tap \(quoted(name))"
      case .nothing, .modules, .help, .quit, .back, .nav: return nil
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
