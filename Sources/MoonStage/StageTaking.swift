import Moonwire

extension Stage {
  /// The maximum number of moves of the focus that a screen may be behind.
  private static let unansweredMax = 8
  /// The maximum number of moves of the focus that the host is told of until the person does
  /// something: an app whose view moves the focus because it was told would never end.
  private static let toldMovesMax = 8

  /// Takes an event; returns what is to be done.
  ///
  /// What follows something done to the app waits until that is shown, so that keys typed ahead do
  /// what they do when typed slowly.
  package mutating func take(_ event: StageEvent) -> [StageEffect] {
    guard !isHolding || !event.actsOnApp else { return told.held.add(event) ? [] : [.beep] }
    if event.isFromPerson {
      told.moveCount = 0
      endHunt()
    }
    let effects = respond(to: event) + tellSize() + SearchKeys.goOn(&self) + askForRows()
    let further = told.held.follow(effects + tellFocus())
    return isHolding ? further : told.held.take().reduce(into: further) { $0 += take($1) }
  }

  /// Whether something done to the app isn't shown yet, or waits for a text that is being sent.
  private var isHolding: Bool {
    told.held.isActing || drafts.values.contains { !$0.following.isEmpty }
  }

  private mutating func respond(to event: StageEvent) -> [StageEffect] {
    switch event {
    case .key(let key): return AppKeys.press(&self, key)
    case .paste(let text): return TypingKeys.paste(&self, text)
    case .press(let row, let column): return MouseKeys.press(&self, row: row, column: column)
    case .wheel(let step):
      scroll(by: step)
      return []
    case .resize(let columns, let rows):
      terminal.resize(columns: columns, rows: rows)
      layOut()
      return []
    case .told(let method, let parameters): return StageAnswers.take(&self, method, parameters)
    case .answered(let call, let result): return StageAnswers.take(&self, result, of: call)
    case .printed(let text):
      bar.note = text.lines.last { !$0.isEmpty } ?? bar.note
      return []
    case .waits:
      bar.isWaiting = bar.callCount > 0
      return []
    case .due(let call):
      bar.asksLater = false
      return [.call(call)]
    case .lost:
      bar.isLost = true
      return []
    case .back:
      bar.isLost = false
      return begin()
    }
  }

  /// Tells how much room there is for a screen, once that has changed.
  mutating func tellSize() -> [StageEffect] {
    guard told.size != roomySize else { return [] }
    told.size = roomySize
    return [
      .call(
        StageCall(
          .ignore, "screen/resize",
          ["columns": .int(Int64(roomySize.columns)), "rows": .int(Int64(roomySize.rows))]))
    ]
  }

  /// Does what the app has the moves of the focus do, one after another.
  private mutating func tellFocus() -> [StageEffect] {
    guard let call = AppKeys.focusCall(self), !told.isMovingFocus, let name = place.name,
      name != place.told, told.moveCount < Self.toldMovesMax
    else { return [] }
    told.moveCount += 1
    place.unanswered = (place.unanswered + [name]).suffix(Self.unansweredMax)
    (place.told, told.isMovingFocus) = (place.name, true)
    return [.call(call)]
  }
}
