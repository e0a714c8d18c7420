import MoonTerminal
import Moonwire

/// The command `:why`, which shows what led to an action, what it did, and what it led to.
struct WhyCommand: PromptCommand {
  static let manual = CommandManual(
    name: "why", arguments: "id",
    summary: "shows what led to an action, what it did, and what followed", example: ":why 12")

  let id: Int64

  init(_ id: Int64) { self.id = id }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    guard !arguments.trimmedRest.isEmpty else {
      throw arguments.error(.missingArgument(Self.manual))
    }
    id = try arguments.actionID()
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(request.steps())
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
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
      let payload = action.payload == .null ? "" : " " + layout.line(action.payload)
      return [
        "#\(action.meta.id)  " + layout.style.paint(action.type.string, .key) + payload
          + layout.dim("  \(action.meta.cause.origin)") + "  " + layout.result(of: chain.entry)
      ] + chain.causes.map { row("because of", title($0, layout)) } + doings(layout)
        + chain.following.map { entry in
          row(
            "led to",
            title(entry.action, layout) + "  " + layout.result(of: entry) + delay(entry, layout))
        }
    }

    private func doings(_ layout: TextLayout) -> [String] {
      guard let calls = chain.calls, let changes = chain.changes else {
        return [row("", layout.dim("the states before and after it aren't kept any more"))]
      }
      let called = calls.flatMap { call in
        let time = layout.clock == .shown ? layout.dim("  \(Wording.time(call.time))") : ""
        let made = call.changes.map { changeLines($0, layout) } ?? []
        return [row(call.registration.kind.rawValue, name(call) + time)] + made
      }
      let reduced = Set(calls.flatMap { $0.changes?.changes.map(\.path) ?? [] })
      let others = changes.changes.contains { !reduced.contains($0.path) }
      return called
        + (others ? [row("navigation", layout.dim("changed"))] : [])
        + chain.observers.map { row("observer", name($0.module, $0.registration)) }
        + chain.effects.map { row("effect", name($0.module, $0.registration)) }
        + chain.tasks.map {
          row("task", "\($0.id) \($0.wait.map { "waits for \($0)" } ?? "is ready")")
        }
    }

    private func changeLines(_ diff: Diff, _ layout: TextLayout) -> [String] {
      ChangeText(style: layout.style, columns: max(20, layout.columns - 14)).lines(diff).map {
        String(repeating: " ", count: 14) + $0
      }
    }

    private func row(_ word: String, _ text: String) -> String { "  " + word.padded(to: 12) + text }

    private func name(_ call: TracedCall) -> String { name(call.module, call.registration) }

    private func name(_ module: ModuleName, _ registration: Registration) -> String {
      let place = registration.place.map { " (\($0))" } ?? ""
      return TerminalText.sanitized("\(registration.name) of \(module)\(place)")
    }

    private func title(_ action: Action, _ layout: TextLayout) -> String {
      "#\(action.meta.id) " + layout.style.paint(action.type.string, .key)
        + layout.dim("  \(action.meta.cause.origin)")
    }

    /// The time from the action to one that it led to.
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
        "observers": JSONRecord.list(chain.observers) { listener($0.module, $0.registration) },
        "effects": JSONRecord.list(chain.effects) { listener($0.module, $0.registration) },
        "tasks": JSONRecord.list(chain.tasks) { .int(Int64($0.id.number)) },
        "following": JSONRecord.list(chain.following) {
          [
            "id": .int($0.action.meta.id), "type": .string($0.action.type),
            "after": .double($0.action.meta.time - action.meta.time),
          ]
        },
      ]
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
