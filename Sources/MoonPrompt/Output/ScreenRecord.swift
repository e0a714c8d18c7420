import Moonwire

/// Records of screens.
enum ScreenRecord {
  /// The width of lines, the same for every reader.
  static let columnCount = 80

  /// Returns the screen on top, or the requested one; null if there is none.
  static func screen(_ snapshot: ScreenSnapshot?) -> Map {
    ["kind": "screen", "screen": snapshot.map { .map(screen($0)) } ?? .null]
  }

  /// Returns the navigation.
  static func navigation(_ tree: NavigationTree) -> Map {
    [
      "kind": "nav", "tree": tree.value,
      "lines": .list(List(tree.drawing.map { .string(Text($0)) })),
    ]
  }

  private static func screen(_ snapshot: ScreenSnapshot) -> Map {
    let (shown, screen) = (snapshot.shown, snapshot.shown.screen)
    var map: Map = [
      "id": .string(screen.id), "kind": .string(screen.kind), "title": .string(screen.title),
      "url": screen.url.map { .string($0) } ?? .null,
      "module": screen.owner.map { .string($0.module) } ?? .null,
      "placeholder": .bool(screen.isPlaceholder),
      "trail": .string(Text(TrailText(tree: snapshot.tree).text(columns: columnCount))),
    ]
    for (key, value) in BesideText(snapshot).record { map[key] = value }
    if let failure = shown.failure { map["error"] = failure.report.value }
    guard let card = shown.card else { return map }
    let lines = shown.lines(width: columnCount, dates: ReaderDates.text)
    map["lines"] = .list(List(lines.map { .string(Text($0.text)) }))
    map["controls"] = .list(List(card.controls.map(control)))
    let inputs = shown.maskedInputs
    map["inputs"] = .list(List(card.inputs.map { input($0, inputs) }))
    if let refusal = shown.refusal {
      map["refusal"] = [
        "number": .int(Int64(refusal.number)), "reason": JSONRecord.text(refusal.reason),
      ]
    }
    if !shown.warnings.isEmpty {
      map["warnings"] = .list(List(shown.warnings.map { .string(Text("\($0)")) }))
    }
    return map
  }

  private static func control(_ control: CardControl) -> Value {
    var map: Map = ["number": .int(Int64(control.number)), "title": .string(control.title)]
    map["id"] = control.id.map { .string($0) }
    if control.opensMenu { map["menu"] = true }
    return .map(map)
  }

  private static func input(_ input: CardInput, _ values: Map) -> Value {
    [
      "id": .string(input.id), "name": .string(input.name), "required": .bool(input.isRequired),
      "value": values[.string(input.id)] ?? (input.isSecret ? nil : input.initialValue) ?? .null,
    ]
  }
}
