import Moonwire

extension Stage {
  /// Takes an event; returns what is to be done.
  package mutating func take(_ event: StageEvent) -> [StageEffect] {
    switch event {
    case .key(let key): return AppKeys.press(&self, key)
    case .paste(let text): return TypingKeys.paste(&self, text)
    case .press(let row, let column): return MouseKeys.press(&self, row: row, column: column)
    case .wheel(let step):
      scroll(by: step)
      return []
    case .resize(let columns, let rows):
      (self.columns, self.rows) = (max(1, columns), max(1, rows))
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
      return Self.beginning
    }
  }
}
