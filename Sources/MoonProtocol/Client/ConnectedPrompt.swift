import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The prompt of a client: what a line and events show there.
final class ConnectedPrompt: Sendable {
  /// What is known of the client's terminal.
  struct Terminal: Equatable {
    private static let columnCountMax: Int64 = 10_000

    var columns: Int?
    var rows: Int?
    var hasColors = false
    var format = OutputFormat.text

    init(_ parameters: Map = Map()) {
      columns = parameters["columns"]?.intValue.map { Int(min(max(20, $0), Self.columnCountMax)) }
      rows = parameters["rows"]?.intValue.map { Int(min(max(5, $0), Self.columnCountMax)) }
      hasColors = parameters["colors"]?.boolValue ?? false
      format = parameters["json"]?.boolValue ?? false ? .json : .text
    }
  }

  private struct Contents {
    var terminal = Terminal()
    var display: (AnswerDisplay, TerminalOutput)?
    /// What the running line has shown; nil while none runs.
    var shown: [Value]?
    /// The line or the questions that haven't ended.
    var conversation: Conversation<Map>?
    var follower: Follower?
  }

  /// What brings events to the prompt.
  private struct Follower {
    let inbox: EventInbox
    let reader: Int?
  }

  private let requests: RequestQueue
  private let server: ProtocolServer
  private let output: any ClientOutput
  private let session: PromptSession
  private let snapshots = SnapshotBox()
  private let contents = Mutex(Contents())

  init(
    of id: SessionID, _ server: ProtocolServer, _ requests: RequestQueue,
    to output: any ClientOutput
  ) {
    (self.server, self.requests, self.output) = (server, requests, output)
    session = server.prompt(of: id, .prompt)
  }

  /// Shows what follows on a terminal like this one.
  func use(_ terminal: Terminal) {
    contents.withLock { contents in
      guard contents.display == nil || contents.terminal != terminal else { return }
      contents.terminal = terminal
      contents.display = nil
    }
  }

  private func display() -> (AnswerDisplay, TerminalOutput) {
    contents.withLock { contents in
      if let display = contents.display { return display }
      let terminal = contents.terminal
      let style = Style(terminal.hasColors ? .always : .never, target: .other, environment: [:])
      let output = TerminalOutput(
        on: DistantTerminal(columns: terminal.columns, rows: terminal.rows, style: style) {
          [weak self] in self?.show($0, $1)
        })
      let display = AnswerDisplay(
        of: session, on: output, terminal.format, isForPerson: terminal.rows != nil,
        noting: snapshots, flushEvents: { [weak self] in self?.flushEvents() })
      contents.display = (display, output)
      return (display, output)
    }
  }

  private func show(_ text: String, _ stream: DistantTerminal.Stream) {
    let piece: Map = [
      "stream": .string(Text(stream.rawValue)), "text": .string(Text(text)),
    ]
    let isFollowing = contents.withLock { contents in
      guard contents.shown == nil else {
        contents.shown?.append(.map(piece))
        return false
      }
      return contents.follower != nil
    }
    if isFollowing, !output.isCongested {
      output.post(Reply.notification("prompt/output", piece))
    }
  }

  private func flushEvents() { contents.withLock { $0.follower }?.inbox.flush() }

  // MARK: What methods do

  /// Carries out a line, or begins to, if it asks something.
  func run(_ text: String) async -> Value {
    await begin { [self] ask in
      let (display, output) = display()
      display.beginLine()
      let status: String
      do throws(LineProblem) {
        status = await show(try await answer(to: text, ask), by: display)
      } catch {
        let format = contents.withLock { $0.terminal.format }
        output.report(error.report, inJSON: format == .json)
        status = error.status
      }
      await display.endLine()
      return ["status": .string(Text(status))]
    }
  }

  /// Asks a person for what modules lack, before the next line.
  func askForGrants() async -> Value {
    await begin { [self] ask in
      guard isForPerson else { return ["status": "done"] }
      let output = display().1
      guard let line = await server.questions.ask(output, ask) else { return ["status": "done"] }
      // What was typed in place of an answer is the next line.
      return ["status": "line", "line": .string(Text(line))]
    }
  }

  /// Goes on with what has asked a question; nil if nothing has.
  func answerQuestion(_ text: String?) async -> Value? {
    let conversation = contents.withLock { contents in
      if contents.conversation != nil { contents.shown = [] }
      return contents.conversation
    }
    guard let conversation, conversation.answer(text) else { return nil }
    return await nextStep(of: conversation)
  }

  /// Begins something that may ask; what has asked before gets no answer.
  private func begin(
    _ body: @escaping @Sendable (@escaping @Sendable (String) async -> String?) async -> Map
  ) async -> Value {
    while await answerQuestion(nil) != nil {}
    let conversation = Conversation<Map>()
    contents.withLock { ($0.conversation, $0.shown) = (conversation, []) }
    conversation.begin(body)
    return await nextStep(of: conversation)
  }

  private func nextStep(of conversation: Conversation<Map>) async -> Value {
    let step = await conversation.next()
    return contents.withLock { contents in
      var answer: Map
      let shown = contents.shown ?? []
      switch step {
      case .asks(let question):
        answer = ["status": "asks", "question": .string(Text(question))]
        // What happens while a person thinks is shown at once.
        contents.shown = nil
      case .ends(let ending):
        answer = ending
        (contents.conversation, contents.shown) = (nil, nil)
      }
      answer["output"] = .list(List(shown))
      return .map(answer)
    }
  }

  private var isForPerson: Bool {
    contents.withLock { $0.terminal.rows != nil && $0.terminal.format == .text }
  }

  private func answer(
    to text: String, _ ask: @escaping @Sendable (String) async -> String?
  ) async throws(LineProblem) -> any PromptAnswer {
    let line = try await session.line(text)
    let interruption = LineInterruption(of: line, in: session)
    let session = session
    let asking: (@Sendable (String) async -> String?)? = isForPerson ? ask : nil
    do throws(PromptError) {
      return try await requests.interruptible(interruption) { () throws(PromptError) in
        try await session.run(line, asking: asking)
      }
    } catch {
      throw LineProblem(error)
    }
  }

  private func show(
    _ answer: any PromptAnswer, by display: AnswerDisplay
  ) async -> String {
    if answer.endsPrompt { return "left" }
    return await display.show(answer) ? "done" : "failed"
  }

  /// The text before a line.
  func label() async -> Value {
    await snapshots.refresh(server.host, session.id)
    let style = Style(
      contents.withLock { $0.terminal.hasColors } ? .always : .never, target: .other,
      environment: [:])
    let label = PromptLabel(name: server.name, style: style)
    return [
      "label": .string(Text(label.text(snapshots.current))),
      "continuation": .string(Text(label.continuation)),
    ]
  }

  /// The completion of a word.
  func completion(_ line: String, _ cursor: Int) async -> Value {
    await snapshots.refresh(server.host, session.id)
    let found = PromptCompleter(snapshot: snapshots.current).completion(
      of: line, cursor: min(max(0, cursor), line.utf8.count))
    let candidates = found.candidates.map { candidate -> Value in
      var map: Map = [
        "text": .string(Text(candidate.text)), "suffix": .string(Text(candidate.suffix)),
      ]
      map["note"] = candidate.note.map { .string(Text($0)) }
      return .map(map)
    }
    return ["from": .int(Int64(found.replaceFrom)), "candidates": .list(List(candidates))]
  }

  // MARK: Events

  /// Shows events from now on, as they come.
  func follow() async {
    let (display, output) = display()
    guard contents.withLock({ $0.follower == nil }) else { return }
    let printer = EventPrinter(output: output, directory: server.directory, keepsJournal: true)
    let inbox = EventInbox(isPatient: true) { printer.show($0) }
    let reader = server.events.add { inbox.add($0) }
    contents.withLock { $0.follower = Follower(inbox: inbox, reader: reader) }
    await server.watches.begin(of: session.id, on: server.host)
    if contents.withLock({ $0.terminal.format }) == .text { await display.showTop() }
    Task { [weak self, id = session.id] in
      await inbox.deliver { events in
        for case .tasksChangedState(id, let outcome) in events {
          _ = await display.show(EffectsAnswer(step: StateStep(outcome)))
        }
        await display.redraw(after: events)
        await self?.sendLabel()
      }
    }
  }

  private func sendLabel() async {
    guard !output.isCongested, case .map(let label) = await label() else { return }
    output.post(Reply.notification("prompt/label", label))
  }

  /// Shows no more events.
  func end() {
    let (follower, conversation) = contents.withLock { contents in
      defer { contents.follower = nil }
      return (contents.follower, contents.conversation)
    }
    conversation?.abandon()
    follower?.inbox.finish()
    guard let follower else { return }
    if let reader = follower.reader { server.events.remove(reader) }
    server.watches.end(of: session.id, on: server.host)
  }
}

extension LineProblem {
  /// The word for the kind of problem.
  fileprivate var status: String {
    switch self {
    case .incomplete: "incomplete"
    case .malformed: "malformed"
    case .failed: "failed"
    }
  }
}
