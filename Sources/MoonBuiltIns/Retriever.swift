import MoonJournal
import Moonwire

extension BuiltIn {
  /// `retriever`: plays the actions of a recording in the session, and drops all others meanwhile.
  ///
  /// `retriever/play` names the `recording` of ``recorder`` by its number, or plays the last one
  /// before the present session's. Actions follow one another every `interval` seconds, initially
  /// 0.05, or at the recorded intervals divided by `speed`. `retriever/stop` ends it.
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
  private static let standardInterval = 0.05
  /// The longest time between two actions, in seconds.
  private static let intervalMax = 3_600.0
  /// The number of latest playbacks that are remembered, since their effects may act later.
  private static let playingsMax = 20

  let surroundings: BuiltIn.Surroundings

  func register(in module: inout Module) {
    module.state = ["playing": false]
    module.actions = [
      ActionDeclaration(
        "play", description: "Plays a recording",
        schema: PayloadSchema(
          fields: [
            PayloadSchema.Field(name: "recording", type: "integer?"),
            PayloadSchema.Field(name: "interval", type: "number?"),
            PayloadSchema.Field(name: "speed", type: "number?"),
          ].compactMap(\.self))),
      ActionDeclaration("stop", description: "Ends the playing"),
      ActionDeclaration("finish", description: "Says that the recording has been played"),
    ]
    module.reducers = [
      Reducer(.exact("retriever/play")) { slice, action in
        var state = slice.mapValue ?? Map()
        state["playing"] = true
        state["begun"] = state["begun"] ?? .int(action.meta.id)
        slice = .map(state)
      },
      Reducer(.exact("retriever/stop")) { $0 = Self.ended($0, by: $1) },
      Reducer(.exact("retriever/finish")) { $0 = Self.ended($0, by: $1) },
    ]
    module.middleware = [
      Middleware(priority: .high) { action, _, context in
        let slice = context.slice
        if Self.passes(action) { return .pass }
        return slice["playing"] == true || Self.follows(action, fromPlayingsIn: slice)
          ? .drop : .pass
      }
    ]
    module.effects = [
      Effect(.family(prefix: "retriever/"), policy: .latest) { action, context in
        if action.type == "retriever/play" { try await play(action.payload, context) }
        // The cancelled playback can't do it any more.
        if action.type == "retriever/stop" { try await context.dispatch(Self.requestsOn) }
      }
    ]
  }

  /// Returns the slice after a playback, with the ids of its first and its last action.
  private static func ended(_ slice: Value, by action: Action) -> Value {
    var state = slice.mapValue ?? Map()
    state["playing"] = false
    guard let begun = state["begun"] else { return .map(state) }
    state["begun"] = nil
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

  private func play(_ wish: Value, _ context: EffectContext) async throws {
    let run: RecordedRun
    do {
      let speed = try Speed(wish)
      run = try RecordedRun(try await path(wish, context))
      // The recording holds what requests returned.
      try await context.dispatch(Action("api/disable", Self.hold))
      try await play(try actions(of: run), at: speed, context)
    } catch let error as JournalError {
      surroundings.show("retriever: \(error)")
    } catch let error as RetrieverError {
      surroundings.show("retriever: \(error)")
    }
    try await context.dispatch(Self.requestsOn)
    try await context.dispatch(Action("retriever/finish"))
  }

  private func path(_ wish: Value, _ context: EffectContext) async throws -> String {
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
      let containers: [Key] = ["stack", "tabs"]
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

  private func play(
    _ actions: [Action], at speed: Speed, _ context: EffectContext
  ) async throws {
    var former = actions.first?.meta.time ?? 0
    for action in actions {
      let pause = speed.pause(from: former, to: action.meta.time)
      former = action.meta.time
      if pause > 0 { try await context.sleep(for: .seconds(min(pause, Self.intervalMax))) }
      do {
        try await context.dispatch(action)
      } catch let error as DispatchError {
        surroundings.show("retriever: \(action.type): \(error)")
      }
    }
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

  /// One sentence.
  var description: String {
    switch self {
    case .noDirectory: "there is no directory of recordings"
    case .noRecording(let folder): "\(folder) has no recording of an earlier session"
    case .wrongNumber(let field, let range): "\(field) must be \(range), so nothing is played"
    }
  }
}
