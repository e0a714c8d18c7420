import MoonJournal
import MoonTerminal
import Moonwire

/// The command `:record`, which starts or ends a recording of the session.
struct RecordCommand: PromptCommand {
  static let manual = CommandManual(
    name: "record", arguments: "[file [redact=path]|stop]",
    summary: "starts or ends a recording of the session", example: ":record bug.jsonl")

  /// The word that ends the recording.
  private static let stop = "stop"

  /// The requested operation.
  private enum Request: Equatable {
    case ask, stop
    case begin(RecordingArguments)
  }

  private let request: Request

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    switch arguments.trimmedRest {
    case "": request = .ask
    case Self.stop: request = .stop
    default: request = .begin(try RecordingArguments(parsing: arguments, for: Self.manual))
    }
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    switch request {
    case .ask: return Answer(file: session.recording.path, verb: "being recorded in")
    case .stop:
      guard let file = session.recording.take() else {
        return Answer(file: nil, verb: "")
      }
      do throws(JournalError) {
        try await Journal(in: file).endCopy(of: session.id, on: session.host)
        try file.check()
      } catch {
        throw .journal(error)
      }
      file.close()
      return Answer(file: file.name, verb: "recorded in")
    case .begin(let wish):
      if let other = session.recording.path { throw .isRecording(other) }
      do throws(JournalError) {
        let file = try wish.makeFile()
        try await Journal(in: file).beginCopy(of: session.id, on: session.host)
        session.recording.note(file)
      } catch {
        throw .journal(error)
      }
      return Answer(file: wish.path, verb: "being recorded in")
    }
  }

  private struct Answer: PromptAnswer {
    let file: String?
    let verb: String

    func lines(_ layout: TextLayout) -> [String] {
      guard let file else { return [layout.dim("nothing is being recorded: :record FILE begins")] }
      return [layout.dim("\(verb) \(TerminalText.singleLine(file))")]
    }

    var record: Map? {
      var map: Map = ["kind": "record"]
      map["file"] = file.map { .string(Text($0)) }
      return map
    }
  }
}
