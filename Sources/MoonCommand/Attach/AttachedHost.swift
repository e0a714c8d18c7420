import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The host that a prompt is attached to, which may end and come back.
final class AttachedHost: Sendable {
  /// The time between two attempts to find a host that has ended.
  private static let retryTime: Duration = .milliseconds(500)
  /// The time after which an interrupted line that still runs is interrupted again.
  private static let interruptInterval: Duration = .milliseconds(50)

  private struct Contents {
    var link: HostLink?
    var label = ""
    var continuation = "…> "
    /// Whether the line that was entered last is to end.
    var isInterrupted = false
  }

  let path: String
  let output: TerminalOutput
  private let editor: LineEditor?
  private let contents = Mutex(Contents())

  init(at path: String, _ output: TerminalOutput, _ editor: LineEditor?) {
    (self.path, self.output, self.editor) = (path, output, editor)
  }

  /// The prompts before a line and its continuation.
  var labels: (first: String, more: String) {
    contents.withLock { ($0.label, $0.continuation) }
  }

  /// Connects, and shows what happens from now on if a person is there.
  ///
  /// - Throws: ``LinkError``
  func connect() async throws(LinkError) {
    let link = try HostLink(
      to: path, notify: { [weak self] in self?.show($0, $1) },
      finish: { [weak self] in self?.lose() })
    contents.withLock { $0.link = link }
    if editor != nil { noteLabel(try await link.call("prompt/follow", terminal)) }
  }

  /// Calls a method of the host.
  ///
  /// - Throws: ``LinkError``
  func call(_ method: String, _ parameters: Map) async throws(LinkError) -> Value {
    guard let link = contents.withLock({ $0.link }) else { throw .noHost(path) }
    return try await link.call(method, parameters)
  }

  /// Carries out a line; returns its status and what it has shown, except before a question.
  ///
  /// `answer` shows a question and returns what was typed.
  ///
  /// - Throws: ``LinkError``
  func run(
    _ line: String, _ answer: (_ question: String) async -> String?
  ) async throws(LinkError) -> (status: String, shown: [Value]) {
    var parameters = terminal
    parameters["line"] = .string(Text(line))
    let end = try await settled(try await call("prompt/run", parameters), answer)
    if editor != nil { noteLabel(try await call("prompt/label", terminal)) }
    return (end["status"]?.stringValue ?? "", shown(in: end))
  }

  /// Has a person answer what the host asks before a line; returns what was typed in place of an
  /// answer.
  func askBefore(_ answer: (_ question: String) async -> String?) async -> String? {
    guard editor != nil, let first = try? await call("prompt/ask", terminal),
      first["status"] != "done", let end = try? await settled(first, answer)
    else { return nil }
    for piece in shown(in: end) { show(piece) }
    // What was granted may have changed the modules.
    if let label = try? await call("prompt/label", terminal) { noteLabel(label) }
    return end["line"]?.stringValue
  }

  /// Returns the end of what asks questions, once they are answered.
  private func settled(
    _ first: Value, _ answer: (_ question: String) async -> String?
  ) async throws(LinkError) -> Value {
    var step = first
    while step["status"] == "asks" {
      for piece in shown(in: step) { show(piece) }
      var parameters = Map()
      let text = await answer(step["question"]?.stringValue ?? "")
      parameters["text"] = text.map { .string(Text($0)) }
      step = try await call("prompt/answer", parameters)
    }
    return step
  }

  private func shown(in step: Value) -> [Value] { Array(step["output"]?.listValue ?? List()) }

  /// Ends the line that runs, also one that was entered and isn't with the host yet.
  func interrupt() {
    let isFirst = contents.withLock { contents in
      defer { contents.isInterrupted = true }
      return !contents.isInterrupted
    }
    guard isFirst else { return }
    // The terminal has shown ^C, so the output goes below it.
    if editor != nil { output.printNotice("") }
    Task {
      while let link = contents.withLock({ $0.isInterrupted ? $0.link : nil }) {
        link.cancelCalls()
        try? await Task.sleep(for: Self.interruptInterval)
      }
    }
  }

  /// Notes that no line runs, since the next one is read.
  func beginReading() { contents.withLock { $0.isInterrupted = false } }

  func close() { contents.withLock { $0.link.take() }?.close() }

  /// Shows a piece of output.
  func show(_ piece: Value) {
    let text = piece["text"]?.stringValue ?? ""
    piece["stream"] == "result" ? output.printResult([text]) : output.printNotice(text)
  }

  /// The terminal here, for the host.
  private var terminal: Map {
    var map: Map = ["colors": .bool(output.resultStyle != .plain)]
    map["columns"] = .int(Int64(output.columns))
    if editor != nil { map["rows"] = output.rows.map { .int(Int64($0 + 2)) } }
    return map
  }

  private func show(_ method: String, _ parameters: Value) {
    switch method {
    case "prompt/output": show(parameters)
    case "prompt/label":
      let before = labels.first
      noteLabel(parameters)
      editor?.replacePrompt(before, with: labels.first)
    default: break
    }
  }

  private func noteLabel(_ label: Value) {
    contents.withLock { contents in
      contents.label = label["label"]?.stringValue ?? contents.label
      contents.continuation = label["continuation"]?.stringValue ?? contents.continuation
    }
  }

  /// Tells that the host has ended, and waits for another in its place.
  private func lose() {
    let isOurs = contents.withLock { $0.link.take() == nil }
    guard !isOurs, editor != nil else { return }
    output.printNotice("the host has ended; its next start is waited for, and Ctrl-D leaves")
    Task { [weak self] in
      while let self {
        try? await Task.sleep(for: Self.retryTime)
        guard (try? await self.connect()) != nil else { continue }
        return self.output.printNotice("the host is back")
      }
    }
  }
}
