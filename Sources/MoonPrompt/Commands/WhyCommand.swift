import MoonTerminal
import Moonwire

/// The command `:why`, which shows what led to an action, what it did, and what it led to.
///
/// A path into the state stands for the action that changed it last.
struct WhyCommand: PromptCommand {
  static let manual = CommandManual(
    name: "why", arguments: "id or path",
    summary: "shows what led to an action, or to the last change of a part of the state",
    example: ":why counter.count")

  /// What to explain.
  private enum Subject: Equatable {
    case action(Int64)
    case change(Path)
  }

  private let subject: Subject

  init(_ id: Int64) { subject = .action(id) }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    guard !arguments.trimmedRest.isEmpty else {
      throw arguments.error(.missingArgument(Self.manual))
    }
    let isPath = arguments.trimmedRest.unicodeScalars.first?.properties.isAlphabetic ?? false
    subject = isPath ? .change(try arguments.path()) : .action(try arguments.actionID())
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.typed.unicodeScalars.first?.properties.isAlphabetic ?? false
      ? request.path() : request.matching(request.steps())
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let id: Int64
    switch subject {
    case .action(let number): id = number
    case .change(let path):
      let timeline = await session.host.perform { [id = session.id] in $0.timeline(of: id) }
      guard let last = timeline?.lastChange(at: path) else { throw .noChange(at: path) }
      id = last
    }
    do throws(TimelineError) {
      return try await session.host.perform {
        [id, session = session.id] (host) throws(TimelineError)
        in
        Answer(chain: try ActionChain(of: id, in: session, on: host))
      }
    } catch {
      throw .timeline(error)
    }
  }

  private struct Answer: PromptAnswer {
    let chain: ActionChain

    private var action: Action { chain.entry.action }

    func lines(_ layout: TextLayout) -> [String] {
      let rows =
        chain.causes.map { Row("because of", title($0, layout)) } + doings(layout)
        + chain.following.map { entry in
          Row(
            "led to",
            title(entry.action, layout) + "  " + layout.result(of: entry) + delay(entry, layout))
        }
      let width = rows.reduce(10) { max($0, $1.word.count) } + 2
      return [
        "#\(action.meta.id)  " + named(action, layout)
          + layout.dim("  \(action.meta.cause.origin)") + "  " + layout.result(of: chain.entry)
      ] + rows.flatMap { lines($0, width, layout) }
    }

    /// The text about one event, and the changes that it made.
    private struct Row {
      let word: String
      let text: String
      let changes: Diff?

      init(_ word: String, _ text: String, changes: Diff? = nil) {
        (self.word, self.text, self.changes) = (word, text, changes)
      }
    }

    private func lines(_ row: Row, _ width: Int, _ layout: TextLayout) -> [String] {
      let changes = row.changes.map {
        ChangeText(style: layout.style, columns: max(20, layout.columns - width - 2)).lines($0)
      }
      return ["  " + row.word.padded(to: width) + row.text]
        + (changes ?? []).map { String(repeating: " ", count: width + 2) + $0 }
    }

    private func doings(_ layout: TextLayout) -> [Row] {
      commit(layout)
        + chain.responses.map {
          Row($0.registration.kind.rawValue, name($0.module, $0.registration))
        }
        + chain.tasks.map {
          Row("task", "\($0.id) \($0.waiting)")
        }
    }

    private func commit(_ layout: TextLayout) -> [Row] {
      if case .failed(let error) = chain.entry.result {
        let report = error.report
        let place = report.place.map { "\($0): " } ?? ""
        return [Row("reason", TerminalText.singleLine(place + (report.detail ?? report.headline)))]
      }
      if let whole = chain.committedWith {
        return [Row("part of", "#\(whole)" + layout.dim(": see :why \(whole)"))]
      }
      guard let calls = chain.calls, let changes = chain.changes, let reduced = chain.reduced else {
        return [Row("", layout.dim("the states before and after it aren't kept any more"))]
      }
      let called = calls.map { call in
        let time = layout.clock == .shown ? layout.dim("  \(Wording.time(call.time))") : ""
        return Row(call.registration.kind.rawValue, name(call) + time, changes: call.changes)
      }
      let changed = Set(calls.flatMap { $0.changes?.changes.map(\.path) ?? [] })
      let others = changes.changes.contains { !changed.contains($0.path) }
      let middleware = calls.prefix { $0.registration.kind == .middleware }.count
      return called.prefix(middleware) + becomings(reduced, layout) + called.dropFirst(middleware)
        + (others ? [Row("navigation", layout.dim("changed"))] : [])
    }

    /// Returns what the action became, unless it was reduced unchanged.
    private func becomings(_ reduced: [Action], _ layout: TextLayout) -> [Row] {
      if case .waiting = chain.entry.result { return [] }
      guard !reduced.isEmpty else { return [Row("became", layout.dim("nothing; it was dropped"))] }
      let isItself = reduced.contains {
        $0.meta.id == action.meta.id && $0.type == action.type
      }
      return isItself ? [] : reduced.map { Row("became", named($0, layout)) }
    }

    private func named(_ action: Action, _ layout: TextLayout) -> String {
      let payload = action.payload == .null ? "" : " " + layout.line(action.payload)
      return layout.style.paint(action.type.string, .key) + payload
    }

    private func name(_ call: TracedCall) -> String { name(call.module, call.registration) }

    private func name(_ module: ModuleName, _ registration: Registration) -> String {
      let place = registration.place.map { " (\($0))" } ?? ""
      return TerminalText.singleLine("\(registration.name) of \(module)\(place)")
    }

    private func title(_ action: Action, _ layout: TextLayout) -> String {
      "#\(action.meta.id) " + layout.style.paint(action.type.string, .key)
        + layout.dim("  \(action.meta.cause.origin)")
    }

    /// Returns the time from the action to one that it led to.
    private func delay(_ entry: History.Entry, _ layout: TextLayout) -> String {
      guard layout.clock == .shown else { return "" }
      let seconds = max(0, min(entry.action.meta.time - action.meta.time, 1e9))
      return layout.dim("  \(Wording.time(.milliseconds(Int64(seconds * 1_000)))) later")
    }

    var record: Map? {
      var map: Map = [
        "kind": "why", "id": .int(action.meta.id), "type": .string(action.type),
        "payload": action.payload, "cause": JSONRecord.text(action.meta.cause.description),
        "causes": JSONRecord.list(chain.causes) {
          ["id": .int($0.meta.id), "type": .string($0.type)]
        },
        "responses": JSONRecord.list(chain.responses) { listener($0.module, $0.registration) },
        "tasks": JSONRecord.list(chain.tasks) { .int(Int64($0.id.number)) },
        "following": JSONRecord.list(chain.following) {
          [
            "id": .int($0.action.meta.id), "type": .string($0.action.type),
            "after": .double($0.action.meta.time - action.meta.time),
          ]
        },
      ]
      if case .failed(let error) = chain.entry.result { map["error"] = error.report.value }
      map["reduced"] = chain.reduced.map {
        JSONRecord.list($0) { ["type": .string($0.type), "payload": $0.payload] }
      }
      map["committed_with"] = chain.committedWith.map { .int($0) }
      map["changes"] = chain.changes.map(JSONRecord.changes)
      map["calls"] = chain.calls.map { calls in
        JSONRecord.list(calls) { call in
          var map = listener(call.module, call.registration).mapValue ?? Map()
          map["time_us"] = .int(call.time.microseconds)
          map["changes"] = call.changes.map(JSONRecord.changes)
          return .map(map)
        }
      }
      return map
    }

    private func listener(_ module: ModuleName, _ registration: Registration) -> Value {
      [
        "module": JSONRecord.text(module.text), "kind": JSONRecord.text(registration.kind.rawValue),
        "name": JSONRecord.text(registration.name),
      ]
    }
  }
}
