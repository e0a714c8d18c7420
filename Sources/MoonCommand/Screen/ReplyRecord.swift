import MoonTerminal
import Moonwire

/// Replies as programs read them: one JSON object a line.
enum ReplyRecord {
  /// The version of the form.
  static let version: Int64 = 1

  /// The object, on one line; nil if there is nothing to say.
  static func line(_ reply: Reply) -> String? {
    value(reply).map { text($0) }
  }

  /// An error's line.
  static func line(_ error: Report) -> String {
    text(["kind": "error", "error": error.value])
  }

  static func text(_ map: Map) -> String {
    var map = map
    map["v"] = .int(version)
    return Value.map(map).canonicalText
  }

  private static func value(_ reply: Reply) -> Map? {
    switch reply {
    case .nothing, .leave: return nil
    case .dispatched(let type, let outcome): return dispatched(type, outcome)
    case .evaluated(let values, let step):
      return [
        "kind": "evaluate", "values": list(values, evaluated), "changes": changes(step.changes),
      ]
    case .state(let path, let value):
      return ["kind": "state", "path": text(path.description), "value": value]
    case .modules(let modules, let strays):
      return [
        "kind": "modules", "modules": list(modules, module),
        "problems": list(strays) { Messages.problem($0).value },
      ]
    case .actions(let actions): return ["kind": "actions", "actions": list(actions, action)]
    case .log(let lines):
      return [
        "kind": "log",
        "lines": list(lines) {
          ["module": text($0.module), "level": text($0.level), "text": text($0.message)]
        },
      ]
    case .history(let entries): return ["kind": "history", "entries": list(entries, entry)]
    case .reloaded(let events):
      return ["kind": "reload", "modules": reloads(events), "warnings": warnings(events)]
    case .resumed(let names):
      return ["kind": "resume", "modules": list(names) { text($0.text) }]
    case .did(let command, let outcome): return did(command.rawValue, outcome)
    case .filled(let values): return ["kind": "input", "values": .map(values)]
    case .screen(let sight): return ScreenRecord.screen(sight)
    case .navigation(let tree): return ScreenRecord.navigation(tree)
    case .routes(let routes, let conflicts): return RoutesRecord.list(routes, conflicts)
    case .explained(let url, let explanation): return RoutesRecord.match(explanation, of: url)
    case .help(let command):
      return ["kind": "help", "lines": list(HelpText(style: .plain).lines(command), text)]
    }
  }

  private static func dispatched(_ type: String, _ outcome: Outcome) -> Map {
    var map = did("dispatch", outcome)
    map["type"] = text(type)
    return map
  }

  private static func did(_ kind: String, _ outcome: Outcome) -> Map {
    var map: Map = [
      "kind": text(kind), "id": .int(outcome.id),
      "changes": changes(outcome.changes), "following": .int(Int64(outcome.followingCount)),
    ]
    let failures =
      outcome.failures.map { Messages.following($0.action, $0.error).value }
      + outcome.faults.map { Messages.fault($0).value }
    if !failures.isEmpty { map["failures"] = .list(List(failures)) }
    return map
  }

  private static func changes(_ diff: Diff) -> Value {
    list(diff.changes) { change in
      var map: Map = ["path": text(change.path.description)]
      if let before = change.before { map["before"] = before }
      if let after = change.after { map["after"] = after }
      return .map(map)
    }
  }

  private static func evaluated(_ value: EvaluatedValue) -> Value {
    switch value {
    case .value(let value): ["value": value]
    case .described(let text): ["text": .string(Text(text))]
    }
  }

  /// A module, as `check` lists it, too.
  static func module(_ module: ModuleInfo) -> Value {
    var map: Map = [
      "name": text(module.name.text), "generation": .int(Int64(module.generation)),
      "status": text("\(module.status)"), "version": .int(module.version),
      "problems": list(module.problems) { Messages.problem($0).value },
    ]
    if let file = module.file { map["file"] = text(file) }
    if let description = module.description { map["description"] = text(description) }
    if let memory = module.memory { map["memory"] = .int(Int64(memory)) }
    if let peak = module.memoryPeak { map["memory_peak"] = .int(Int64(peak)) }
    if let time = module.time { map["time_us"] = .int(Int64(time / .microseconds(1))) }
    if let calls = module.calls { map["calls"] = .int(Int64(calls)) }
    if module.faults > 0 {
      map["faults"] = .int(Int64(module.faults))
      map["faults_in_a_row"] = .int(Int64(module.faultsInARow))
    }
    return .map(map)
  }

  private static func action(_ action: ActionInfo) -> Value {
    var map: Map = [
      "type": text(action.type), "listeners": list(action.listeners) { text($0.text) },
    ]
    if let description = action.description { map["description"] = text(description) }
    if let schema = action.schema {
      map["fields"] = list(schema.fields) { field in
        [
          "name": text(field.name), "type": text("\(field.type)"),
          "optional": .bool(field.isOptional),
        ]
      }
    }
    return .map(map)
  }

  private static func entry(_ entry: History.Entry) -> Value {
    let meta = entry.action.meta
    var map: Map = [
      "id": .int(meta.id), "type": text(entry.action.type.string),
      "payload": entry.action.payload, "cause": text(meta.cause.description),
    ]
    if let parent = meta.parent { map["parent"] = .int(parent) }
    switch entry.result {
    case .done(let hasChanged): map["changed"] = .bool(hasChanged)
    case .failed(let error): map["error"] = Messages.dispatch(error).value
    }
    return .map(map)
  }

  private static func reloads(_ events: [HostEvent]) -> Value {
    list(
      events.compactMap { event -> Value? in
        switch event {
        case .reloaded(let reload):
          ["module": text(reload.module.text), "generation": .int(Int64(reload.to))]
        case .started(let module):
          ["module": text(module.name.text), "generation": .int(Int64(module.generation))]
        case .removed(let name): ["module": text(name.text), "removed": true]
        case .failed(let name, let problems, _):
          [
            "module": name.map { text($0.text) } ?? .null,
            "problems": list(problems) { Messages.problem($0).value },
          ]
        default: nil
        }
      }, \.self)
  }

  private static func warnings(_ events: [HostEvent]) -> Value {
    list(
      events.flatMap { event -> [RouteConflict] in
        if case .conflicts(let conflicts) = event { conflicts } else { [] }
      }, RoutesRecord.conflict)
  }

  private static func list<Element>(
    _ elements: [Element], _ make: (Element) -> Value
  ) -> Value {
    .list(List(elements.map(make)))
  }

  private static func text(_ string: String) -> Value { .string(Text(string)) }
}
