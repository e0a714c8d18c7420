import Moonwire

extension Stage {
  /// The maximum number of moves of the focus that a screen may be behind.
  private static let unansweredMax = 8
  /// The maximum number of moves of the focus that the host is told of until the person does
  /// something: an app whose view moves the focus because it was told would never end.
  private static let toldMovesMax = 8

  /// The maximum number of keys and other doings that wait; further ones are dropped.
  private static let heldMax = 1_000

  /// Takes an event; returns what is to be done.
  ///
  /// What follows something done to the app waits until that is shown, so that keys typed ahead do
  /// what they do when typed slowly.
  package mutating func take(_ event: StageEvent) -> [StageEffect] {
    guard !mustWait(event) else {
      guard told.held.count < Self.heldMax else { return [.beep] }
      told.held.append(event)
      return []
    }
    if event.isFromPerson {
      told.moveCount = 0
      endHunt()
    }
    let effects = respond(to: event) + tellSize() + SearchKeys.goOn(&self) + askForRows()
    return settling(effects + tellFocus()) + takeHeld()
  }

  private var isHolding: Bool {
    told.isHolding || drafts.values.contains { !$0.following.isEmpty }
  }

  private func mustWait(_ event: StageEvent) -> Bool {
    guard isHolding else { return false }
    switch event {
    case .key(let key): return !key.actsAtOnce
    case .paste, .press: return true
    default: return false
    }
  }

  /// Adds a call that ends once what the others have done is shown.
  private mutating func settling(_ effects: [StageEffect]) -> [StageEffect] {
    func has(_ purpose: StageCall.Purpose) -> Bool {
      effects.contains { if case .call(let call) = $0 { call.purpose == purpose } else { false } }
    }
    guard has(.act) || has(.focus) else { return effects }
    if has(.act) { told.isHolding = true }
    told.settlingCount += 1
    return effects + [.call(StageCall(.settle, "screen/settle"))]
  }

  /// Has a key wait if something done before isn't shown yet.
  mutating func holdUntilShown(_ key: StageKey) {
    guard told.settlingCount > 0, told.held.count < Self.heldMax else { return }
    told.isHolding = true
    told.held.append(.key(key))
  }

  /// Takes what has waited, unless it must wait on.
  private mutating func takeHeld() -> [StageEffect] {
    guard !told.held.isEmpty, !isHolding else { return [] }
    let held = told.held
    told.held = []
    return held.flatMap { take($0) }
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
      terminal = Self.terminal(columns: columns, rows: rows)
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
