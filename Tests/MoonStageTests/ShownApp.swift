import Moonwire

@testable import MoonStage

/// A stage that a host has told what is seen, without a host.
struct ShownApp {
  var stage: Stage
  /// Whether the host shows at once what was done.
  var settlesAtOnce = true
  /// What is to be done since it was asked last.
  private(set) var effects: [StageEffect] = []

  /// Shows a screen of these elements, in JSON, and other members of what is told.
  init(
    _ body: String = "[]", with more: Map = Map(), columns: Int = 40, rows: Int = 12,
    cell: CellSize? = nil
  ) throws {
    stage = Stage(columns: columns, rows: rows, cell: cell)
    var shown: Map = ["screen": try Self.screen("a", body)]
    for (key, value) in more { shown[key] = value }
    answer(StageCall(.subscribe, "screen/subscribe"), ["shown": .map(shown)])
  }

  static func screen(_ id: Text, _ body: String) throws -> Value {
    ["id": .string(id), "title": .string(id), "body": try Value(parsing: body)]
  }

  private mutating func take(_ event: StageEvent) {
    var new = stage.take(event)
    let settling = StageCall(.settle, "screen/settle")
    new.removeAll { effect in
      guard case .call(let call) = effect else { return false }
      return call.purpose == .settle
    }
    effects += new
    while settlesAtOnce, stage.told.held.isSettling { answer(settling, [:]) }
  }

  /// Tells that what was done before is shown.
  mutating func settle() { answer(StageCall(.settle, "screen/settle"), [:]) }

  mutating func answer(_ call: StageCall, _ value: Value) {
    take(.answered(call, .success(value)))
  }

  mutating func refuse(_ call: StageCall, _ message: String, detail: Text? = nil) {
    let report: Value? = detail.map {
      ["kind": "error", "message": .string(Text(message)), "detail": .string($0)]
    }
    take(.answered(call, .failure(StageRefusal(message, data: report))))
  }

  mutating func change(_ patch: String) throws {
    take(
      .told(method: "screen/changed", ["patch": try Value(parsing: patch)]))
  }

  /// Presses keys: words are names of keys, and other words are typed.
  mutating func press(_ keys: String) {
    for word in keys.split(separator: " ") {
      switch word {
      case "Tab": press(.tab)
      case "BackTab": press(.backTab)
      case "Enter": press(.enter)
      case "Esc": press(.escape)
      case "Space": press(.character(" "))
      case "Up": press(.up)
      case "Down": press(.down)
      case "Left": press(.left)
      case "Right": press(.right)
      case "End": press(.end)
      case "PgDn": press(.pageDown)
      case "F12": press(.function(12))
      case _ where word.hasPrefix("C-"): press(.control(word.last ?? " "))
      default: for character in word { press(.character(character)) }
      }
    }
  }

  mutating func scroll(by step: Int) { take(.wheel(step)) }

  mutating func press(_ key: StageKey) { take(.key(key)) }

  /// Returns the calls that are to be made since this was asked last, as `method parameters`, but
  /// for what the controls look like.
  mutating func calls() -> [String] {
    defer { effects = [] }
    return effects.compactMap { effect in
      guard case .call(let call) = effect else { return nil }
      var parameters = call.parameters
      parameters["seen"] = nil
      return "\(call.method) \(Value.map(parameters).canonicalText)"
    }
  }

  /// Returns what the controls look like that are used by the calls since this was asked last.
  mutating func seenControls() -> [Value] {
    defer { effects = [] }
    return effects.compactMap { effect in
      guard case .call(let call) = effect else { return nil }
      return call.parameters["seen"]
    }
  }

  var text: String { stage.picture.text }

  /// What is drawn in reverse between the header and the last line, which is the focus.
  var focused: String {
    let picture = stage.picture
    return (1..<picture.rows - 1).flatMap { row in
      picture.row(row).filter(\.style.isReversed).compactMap(\.character)
    }.reduce(into: "") { $0.append($1) }
  }
}
