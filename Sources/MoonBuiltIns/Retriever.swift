import MoonJournal
import Moonwire

extension BuiltIn {
  /// `retriever`: plays the actions of a recording in the session, and drops all others meanwhile.
  ///
  /// `retriever/play` names the `recording` of ``recorder`` by its number, or the path of a `file`,
  /// or plays the last one before the present session's. A file may be a list of actions that a
  /// person has written; what follows from those is carried out, too. Actions follow one another
  /// every `interval` seconds, initially 0.05, or at the recorded intervals divided by `speed`.
  /// `retriever/stop` ends it.
  public static let retriever = BuiltIn(
    "retriever", "Plays the actions of a recording, and drops all others meanwhile"
  ) { module, surroundings in
    Playing(surroundings: surroundings).register(in: &module)
  }
}

/// A recording being played.
struct Playing {
  /// The mark of actions that are played, in the dispatcher's additions.
  private static let mark: Key = "retriever"
  /// The hold on requests while something is played.
  private static let hold: Value = ["holder": "retriever"]
  private static let requestsOn = Action("api/enable", hold)
  private static let isPlaying = Path([.key("retriever"), .key("playing")])
  private static let standardInterval = 0.05
  /// The longest time between two actions, in seconds.
  private static let intervalMax = 3_600.0
  /// The number of latest playbacks that are remembered, since their effects may act later.
  private static let playingsMax = 20

  let surroundings: BuiltIn.Surroundings

  func register(in module: inout Module) {
    module.controlsSession = true
    module.state = ["playing": false]
    module.actions = [
      ActionDeclaration(
        "play", description: "Plays a recording",
        schema: PayloadSchema(
          fields: [
            PayloadSchema.Field(name: "recording", type: "integer?"),
            PayloadSchema.Field(name: "file", type: "string?"),
            PayloadSchema.Field(name: "interval", type: "number?"),
            PayloadSchema.Field(name: "speed", type: "number?"),
          ].compactMap(\.self))),
      ActionDeclaration("stop", description: "Ends the playing"),
      ActionDeclaration("follow", description: "Lets what follows from played actions happen"),
      ActionDeclaration("finish", description: "Says that the recording has been played"),
    ]
    module.reducers = [
      Reducer(.exact("retriever/play")) { slice, action in
        var state = slice.mapValue ?? Map()
        state["playing"] = true
        state["begun"] = state["begun"] ?? .int(action.meta.id)
        slice = .map(state)
      },
      Reducer(.exact("retriever/follow")) { slice, _ in
        var state = slice.mapValue ?? Map()
        state["follows"] = true
        slice = .map(state)
      },
      Reducer(.exact("retriever/stop")) { $0 = Self.ended($0, by: $1) },
      Reducer(.exact("retriever/finish")) { $0 = Self.ended($0, by: $1) },
    ]
    module.middleware = [
      Middleware(priority: .high) { action, _, context in
        let slice = context.slice
        if Self.passes(action) { return .pass }
        if slice["follows"] == true, let begun = slice["begun"]?.intValue,
          let parent = action.meta.parent
        {
          return parent > begun ? .pass : .drop
        }
        return slice["playing"] == true || Self.follows(action, fromPlayingsIn: slice)
          ? .drop : .pass
      }
    ]
    module.effects = [
      Effect(.exact("retriever/play"), policy: .latest) { action, context in
        try await playUntilStopped(action.payload, context)
      },
      // The cancelled playback can't do it any more.
      Effect(.exact("retriever/stop")) { _, context in
        try await context.dispatch(Self.requestsOn)
      },
    ]
  }

  /// Returns the slice after a playback, with the ids of its first and its last action.
  private static func ended(_ slice: Value, by action: Action) -> Value {
    var state = slice.mapValue ?? Map()
    state["playing"] = false
    let follows = state["follows"] == true
    state["follows"] = nil
    guard let begun = state["begun"] else { return .map(state) }
    state["begun"] = nil
    // What the actions of a list lead to isn't in the list.
    if follows { return .map(state) }
    let played = Array(state["played"]?.listValue ?? List()) + [[begun, .int(action.meta.id)]]
    state["played"] = .list(List(played.suffix(playingsMax)))
    return .map(state)
  }

  /// Returns whether an effect that a played action started dispatched this one.
  ///
  /// The recording holds what such an effect dispatched then, even if it takes longer now.
  private static func follows(_ action: Action, fromPlayingsIn slice: Value) -> Bool {
    guard let parent = action.meta.parent else { return false }
    return (slice["played"]?.listValue ?? List()).contains { played in
      guard let ids = played.listValue, ids.count == 2, let first = ids[0].intValue,
        let last = ids[1].intValue
      else { return false }
      return parent > first && parent < last
    }
  }

  private static func passes(_ action: Action) -> Bool {
    action.meta.extra[mark] == true || isOwn(action.type)
      || (action.type.hasPrefix("api/") && action.payload == hold)
      || ProgramEvent.types.contains(action.type) || CrashMarker.types.contains(action.type)
  }

  /// Returns whether an action of the type is never blocked and never played: it announces what has
  /// happened, or is about playing itself.
  private static func isOwn(_ type: Text) -> Bool {
    ["host/", "nav/did_", "retriever/"].contains { type.hasPrefix($0) }
  }

  /// Plays until the end, or until `retriever/stop`, whose effect does the rest.
  private func playUntilStopped(_ wish: Value, _ context: EffectContext) async throws {
    let result = try await withThrowingTaskGroup { group in
      group.addTask { await played(wish, context) }
      group.addTask {
        _ = try await context.when(Self.isPlaying) { $0 == false }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let result else { return }
    try await context.dispatch(Self.requestsOn)
    try await context.dispatch(Action("retriever/finish"))
    try result.get()
  }

  private func played(_ wish: Value, _ context: EffectContext) async -> Result<Void, any Error>? {
    do {
      return .success(try await play(wish, context))
    } catch {
      return .failure(error)
    }
  }

  private func play(_ wish: Value, _ context: EffectContext) async throws {
    let speed = try Speed(wish)
    let path = try await path(wish, context)
    if let list = try ActionList(path) {
      try await context.dispatch(Action("retriever/follow"))
      try await play(list.entries.map { (Self.still($0.action), $0.line) }, at: speed, context)
    } else {
      let run = try RecordedRun(path)
      // The recording holds what requests returned.
      try await context.dispatch(Action("api/disable", Self.hold))
      try await play(try actions(of: run).map { ($0, nil) }, at: speed, context)
    }
  }

  private func path(_ wish: Value, _ context: EffectContext) async throws -> String {
    if let file = wish["file"]?.stringValue { return file }
    guard let folder = surroundings.recordings else { throw RetrieverError.noDirectory }
    if let number = wish["recording"]?.intValue { return folder.path(of: Int(clamping: number)) }
    let current = try await context.state["recorder"]?["number"]?.intValue ?? .max
    guard let last = folder.numbers.last(where: { $0 < Int(clamping: current) }) else {
      throw RetrieverError.noRecording(folder.path)
    }
    return folder.path(of: last)
  }

  /// Returns the actions of a recording to play, without animations.
  private func actions(of run: RecordedRun) throws(JournalError) -> [Action] {
    var actions: [Action] = []
    try run.read { _, entry in
      if case .commit(let commit) = entry { actions += commit.actions }
      return true
    }
    return actions.filter {
      !Self.isOwn($0.type) && !$0.type.hasPrefix("recorder/") && !$0.type.hasPrefix("api/")
    }.map(Self.still)
  }

  /// Returns an action marked as played, without an animation.
  private static func still(_ recorded: Action) -> Action {
    var action = Action(recorded.type, recorded.payload)
    if action.type.hasPrefix("nav/"), case .map(var payload) = action.scriptPayload {
      payload["animated"] = false
      if case .module(let name, _) = recorded.meta.cause {
        for field: Key in ["screen", "node", "root", "tab", "screens", "tabs"] {
          payload[field] = payload[field].map { screens($0, of: Text(name)) }
        }
      }
      action.payload = .map(payload)
    }
    action.meta = Action.Meta(extra: [mark: true])
    action.meta.time = recorded.meta.time
    return action
  }

  /// Returns screens and containers in which each screen names a module, this one by default.
  ///
  /// Without a name, they would belong to their dispatcher, which is this module now.
  private static func screens(_ value: Value, of module: Text) -> Value {
    switch value {
    case .list(let list): return .list(List(list.map { screens($0, of: module) }))
    case .map(var map) where map["route"] == nil:
      let containers: [Key] = ["stack", "tabs", "master", "detail"]
      for field in containers + ["presented"] {
        map[field] = map[field].map { screens($0, of: module) }
      }
      if containers.allSatisfy({ map[$0] == nil }), map["module"] == nil {
        map["module"] = .string(module)
      }
      return .map(map)
    default: return value
    }
  }

  /// Dispatches actions, each with its line in a list.
  ///
  /// - Throws: ``RetrieverError/refused(_:_:line:others:)`` in the end, if any was refused.
  private func play(
    _ actions: [(action: Action, line: Int?)], at speed: Speed, _ context: EffectContext
  ) async throws {
    var former = actions.first?.action.meta.time ?? 0
    var refusals: [(type: Text, error: DispatchError, line: Int?)] = []
    for (action, line) in actions {
      let pause = speed.pause(from: former, to: action.meta.time)
      former = action.meta.time
      if pause > 0 { try await context.sleep(for: .seconds(min(pause, Self.intervalMax))) }
      do {
        try await context.dispatch(action)
      } catch let error as DispatchError {
        refusals.append((action.type, error, line))
      }
    }
    guard let first = refusals.first else { return }
    throw RetrieverError.refused(
      first.type, first.error, line: first.line, others: refusals.count - 1)
  }

  /// The times between actions.
  private struct Speed {
    private let interval: Double
    private let factor: Double?

    init(_ wish: Value) throws(RetrieverError) {
      func number(_ field: String) -> Double? {
        wish[field].flatMap { $0 == .null ? nil : $0.finiteNumber ?? -1 }
      }
      interval = number("interval") ?? standardInterval
      factor = number("speed")
      if interval < 0 { throw .wrongNumber("interval", "0 or more seconds") }
      if let factor, factor <= 0 { throw .wrongNumber("speed", "greater than 0") }
    }

    /// Returns the seconds between two recorded times.
    func pause(from former: Double, to time: Double) -> Double {
      factor.map { max(0, time - former) / $0 } ?? interval
    }
  }
}

/// The reason that nothing is played.
enum RetrieverError: Error, CustomStringConvertible {
  case noDirectory
  case noRecording(String)
  case wrongNumber(String, String)
  /// The first action that was refused, its line in a list, and the number of others.
  case refused(Text, DispatchError, line: Int?, others: Int)

  /// One sentence.
  var description: String {
    switch self {
    case .noDirectory: "there is no directory of recordings"
    case .noRecording(let folder): "\(folder) has no recording of an earlier session"
    case .wrongNumber(let field, let range): "\(field) must be \(range), so nothing is played"
    case .refused(let type, let error, let line, let others):
      (line.map { "line \($0): " } ?? "") + "\(type) was refused: \(error)"
        + (others > 0 ? "; so were \(Wording.counted(others, "other action"))" : "")
    }
  }
}
