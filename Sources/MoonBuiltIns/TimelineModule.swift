import Moonwire

extension BuiltIn {
  /// `timeline`: moves through the states of the session with actions, and shows a screen with
  /// buttons for them.
  ///
  /// `timeline/open`, or the route `/timeline`, shows the screen and holds the session still. Its
  /// actions aren't steps of the timeline, and work while an earlier state is shown. The host must
  /// keep a timeline; see ``HostOptions``.
  public static let timeline = BuiltIn(
    "timeline", "Goes through the states that the session was in, with buttons on a screen"
  ) { module, _ in
    module.controlsSession = true
    module.actions = TimelineAction.allCases.map(\.declaration)
    module.hooks.timelineControl = TimelineControl(TimelineAction.allCases.map(\.type)) {
      try TimelineAction(type: $0.type)?.moves(for: $0.payload, in: $1) ?? []
    }
    // An app's own route of this URL comes first.
    module.routes = [RoutePattern].timeline.map { pattern in
      Route(pattern, priority: -1) { _, context in
        try context.dispatch(Action(TimelineAction.open.type))
        return .handled
      }
    }
    module.views = [View(TimelineScreen.kind) { screen, _ in TimelineScreen.body(screen.props) }]
  }
}

extension [RoutePattern] {
  fileprivate static let timeline = ["/timeline"].compactMap { try? RoutePattern(parsing: $0) }
}

/// The actions of the module `timeline`.
enum TimelineAction: String, CaseIterable {
  case back, forward, goto, present, undo, cut, skip, sweep, move, commit, revert, reset, recompute
  case lock, unlock, pause, resume
  case goOn = "go_on"
  case open, close

  var type: Text { Text("timeline/\(rawValue)") }

  init?(type: Text) {
    guard let action = Self.allCases.first(where: { $0.type == type }) else { return nil }
    self = action
  }

  var declaration: ActionDeclaration {
    let fields = fields.compactMap { PayloadSchema.Field(name: $0, type: $1) }
    return ActionDeclaration(
      rawValue, description: summary, schema: PayloadSchema(fields: fields))
  }

  private var fields: [(name: String, type: String)] {
    switch self {
    case .back, .forward: [("steps", "integer?")]
    case .goto: [("position", "integer?"), ("action", "integer?")]
    case .skip: [("action", "integer?")]
    case .move: [("action", "integer"), ("before", "integer?")]
    case .present, .undo, .cut, .sweep, .commit, .revert, .reset, .recompute, .lock, .unlock,
      .pause, .resume, .goOn, .open, .close:
      []
    }
  }

  private var summary: String {
    switch self {
    case .back: "Shows the state one step earlier, or several"
    case .forward: "Shows the state one step later, or several"
    case .goto: "Shows the state at a position, or after the action with an id"
    case .present: "Shows the latest state"
    case .undo: "Undoes the last action of a person, and everything after it"
    case .cut: "Forgets the steps after the shown state"
    case .skip: "Leaves an action out or takes it in again; without an id, the last one shown"
    case .sweep: "Forgets the actions that are left out"
    case .move: "Moves an action before another one, or to the end"
    case .commit: "Makes the shown state the beginning"
    case .revert: "Goes back to the beginning, and forgets all steps"
    case .reset: "Goes back to the first state of the session, and forgets all steps"
    case .recompute: "Carries all actions out again, with the modules as they are now"
    case .lock: "Takes no other action until unlocked"
    case .unlock: "Takes other actions again"
    case .pause: "Takes no steps until resumed"
    case .resume: "Takes steps again"
    case .goOn: "Forgets the steps after the shown state, closes the control, and goes on"
    case .open: "Shows the control"
    case .close: "Closes the control, and returns to the latest state"
    }
  }

  /// Returns what the action does.
  ///
  /// - Throws: ``TimelineActionError`` if the payload doesn't say where to go.
  func moves(
    for payload: Value, in timeline: Timeline
  ) throws(TimelineActionError) -> [TimelineMove] {
    let id = payload["action"]?.intValue
    switch self {
    case .back:
      // A button that has nothing to do does nothing.
      return timeline.position > 0 ? [.travel(.back(payload.steps))] : []
    case .forward: return timeline.isPast ? [.travel(.forward(payload.steps))] : []
    case .goto:
      if let id { return [.travel(.action(id))] }
      guard let position = payload["position"]?.intValue else { throw .noPlace }
      return [.travel(.position(Int(clamping: position)))]
    case .present: return [.travel(.present)]
    case .undo: return [.undo]
    case .cut: return [.edit(.cut)]
    case .skip:
      return (id ?? timeline.summary["action"]?["id"]?.intValue).map { [.edit(.toggle($0))] } ?? []
    case .sweep: return [.edit(.sweep)]
    case .move: return id.map { [.edit(.move($0, before: payload["before"]?.intValue))] } ?? []
    case .commit: return [.edit(.commit)]
    case .revert: return [.edit(.revert)]
    case .reset: return [.edit(.reset)]
    case .recompute: return [.edit(.recompute)]
    case .lock: return [.edit(.lock(true))]
    case .unlock: return [.edit(.lock(false))]
    case .pause: return [.edit(.pause(true))]
    case .resume: return [.edit(.pause(false))]
    case .goOn: return [.edit(.cut), .close]
    case .open: return [.open(TimelineScreen.screen)]
    case .close: return [.close]
    }
  }
}

/// The reason that an action of the module `timeline` can't be carried out.
enum TimelineActionError: Error, CustomStringConvertible {
  case noPlace

  /// One sentence.
  var description: String {
    switch self {
    case .noPlace: "timeline/goto needs a position, or the id of an action"
    }
  }
}

extension Value {
  fileprivate var steps: Int { Int(clamping: self["steps"]?.intValue ?? 1) }
}

/// The screen of the module `timeline`.
enum TimelineScreen {
  static let kind: Text = "timeline"
  /// The maximum number of characters of an action's payload.
  private static let payloadLengthMax = 60

  static let screen = Screen(
    id: "timeline-control", kind: kind, title: "Timeline", owner: ScreenOwner(module: "timeline"))

  /// Returns the elements for a ``Timeline/summary``.
  static func body(_ summary: Value) -> Value {
    let (position, count) = (summary["position"]?.intValue ?? 0, summary["count"]?.intValue ?? 0)
    let isSkipped = summary["skipped"] == true
    return [
      text("\(position)/\(count)"), text(step(summary["action"], isSkipped: isSkipped)),
      buttons([
        button("Beginning", .goto, ["position": 0], isEnabled: position > 0),
        button("Back", .back, isEnabled: position > 0),
        button("Forward", .forward, isEnabled: position < count),
        button("Present", .present, isEnabled: position < count),
      ]),
      buttons([
        button(isSkipped ? "Take in" : "Skip", .skip, isEnabled: position > 0),
        button("Go on from here", .goOn, isEnabled: true),
        button("Close", .close, isEnabled: true),
      ]),
    ]
  }

  private static func step(_ action: Value?, isSkipped: Bool) -> String {
    guard let id = action?["id"]?.intValue, let type = action?["type"]?.stringValue else {
      return "the beginning"
    }
    var text = "#\(id) \(type)"
    if let payload = action?["payload"] {
      let whole = payload.canonicalText
      text += " " + whole.prefix(payloadLengthMax)
      if whole.count > payloadLengthMax { text += "…" }
    }
    return isSkipped ? text + " (left out)" : text
  }

  private static func text(_ text: String) -> Value {
    ["type": "TextBlock", "text": .string(Text(text)), "wrap": true]
  }

  private static func buttons(_ buttons: [Value]) -> Value {
    ["type": "ActionSet", "actions": .list(List(buttons))]
  }

  private static func button(
    _ title: Text, _ action: TimelineAction, _ payload: Value = [:], isEnabled: Bool
  ) -> Value {
    [
      "type": "Action.Execute", "title": .string(title), "verb": .string(action.type),
      "data": payload, "isEnabled": .bool(isEnabled),
    ]
  }
}
