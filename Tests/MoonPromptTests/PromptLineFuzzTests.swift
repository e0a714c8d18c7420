import MoonTestSupport
import Moonwire
import Testing

@testable import MoonPrompt

/// Random lines.
///
/// Errors are reported at the right position, and a valid line means the same when it is written
/// differently.
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
      guard let written = written(line) else { return nil }
      guard let again = try? PromptLine(parsing: written) else { return "can't read \(written)" }
      return again == line ? nil : "\(written) is read as \(again)"
    } catch {
      let count = text.unicodeScalars.count
      return (1...count + 1).contains(error.column)
        ? nil : "column \(error.column) of \(count): \(error.reason)"
    }
  }

  /// Returns a different way to write a line; nil if there is none.
  private static func written(_ line: PromptLine) -> String? {
    switch line {
    case .nothing: nil
    case .dispatch(let action): "\(action.type) \(action.payload.canonicalText)"
    case .evaluate(let text): "= \(text)"
    case .command(let command): written(command).map { ":\(type(of: command).manual.name) \($0)" }
    }
  }

  private static func written(_ command: any PromptCommand) -> String? {
    switch command {
    case let command as StateCommand: command.path.description
    case let command as LogCommand: "\(command.count)"
    case let command as HistoryCommand: "\(command.count)"
    case let command as ReloadCommand: command.module ?? ""
    case let command as ActionsCommand: command.module ?? ""
    case let command as ResumeCommand: command.module ?? ""
    case let command as ScreenCommand: command.screen ?? ""
    case let command as RoutesCommand: command.url?.string ?? ""
    case let command as OpenCommand:
      "\(command.url) \(command.parameters.isEmpty ? "" : Value.map(command.parameters).canonicalText)"
    case let command as InputCommand:
      command.texts.map { "\(quoted($0.name))=\(quoted($0.text))" }.joined(separator: " ")
    case let command as TapCommand:
      switch command.control {
      case .number(let number): "\(number)"
      case .name(let name): quoted(name)
      }
    default: nil
    }
  }
}
