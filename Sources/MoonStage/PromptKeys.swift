import Moonwire

/// What follows from keys and answers at the prompt over the app.
enum PromptKeys {
  static func open(_ stage: inout Stage, with text: String = "") -> [StageEffect] {
    if case .prompt(let box)? = stage.overlay, !box.isRunning, box.question == nil {
      stage.overlay = nil
      return []
    }
    var box = PromptBox()
    box.field = TextField(text)
    box.history = stage.typed.lines
    let effects = TypingKeys.end(&stage)
    stage.overlay = .prompt(box)
    return effects
  }

  static func press(_ stage: inout Stage, _ key: StageKey, at opened: PromptBox) -> [StageEffect] {
    var box = opened
    defer { if case .prompt? = stage.overlay { stage.overlay = .prompt(box) } }
    switch key {
    case .escape:
      if box.isRunning { return [.cancelCalls] }
      stage.overlay = nil
      // A question that nobody answers is answered with nothing.
      if box.question != nil { return [.call(StageCall(.ignore, "prompt/answer"))] }
    case .enter: return enter(&stage, &box)
    case .tab:
      guard box.question == nil else { return [.beep] }
      return [
        .call(
          StageCall(
            .complete, "prompt/complete",
            [
              "line": .string(Text(box.field.text)),
              "cursor": .int(Int64(box.field.bytesBeforeCursor)),
            ]))
      ]
    case .up, .control("p"): box.recall(-1)
    case .down, .control("n"): box.recall(1)
    case .pageUp: box.scrolledBack = min(box.scrolledBack + 5, max(0, box.lines.count - 1))
    case .pageDown: box.scrolledBack = max(0, box.scrolledBack - 5)
    case .backspace where box.field.text.isEmpty && box.question == nil && !box.isRunning:
      stage.overlay = nil
    default:
      box.candidates = ""
      guard box.field.take(key) else { return [.beep] }
    }
    return []
  }

  /// Carries out the line, or answers the question.
  static func enter(_ stage: inout Stage, _ box: inout PromptBox) -> [StageEffect] {
    guard !box.isRunning else { return [.beep] }
    let text = box.field.text
    box.field = TextField()
    box.candidates = ""
    if let question = box.question {
      box.lines.append(question + text)
      (box.question, box.isRunning) = (nil, true)
      return [
        .call(StageCall(.prompt, "prompt/answer", ["text": .string(Text(text))]))
      ]
    }
    guard text.contains(where: { !$0.isWhitespace }) else { return [] }
    if stage.typed.lines.last != text { stage.typed.lines.append(text) }
    if stage.typed.lines.count > PromptBox.historyCountMax { stage.typed.lines.removeFirst() }
    (box.history, box.place, box.isRunning) = (stage.typed.lines, nil, true)
    box.lines.append("> " + text)
    return [
      .call(
        StageCall(
          .prompt, "prompt/run",
          [
            "line": .string(Text(text)), "columns": .int(Int64(max(20, stage.columns - 2))),
            "rows": .int(Int64(PromptBox.lineCountMax)),
          ]))
    ]
  }

  static func take(_ stage: inout Stage, _ result: Result<Value, StageRefusal>) -> [StageEffect] {
    guard case .prompt(var box)? = stage.overlay else { return [] }
    box.isRunning = false
    var effects: [StageEffect] = [.call(StageCall(.tasks, "task/list"))]
    switch result {
    case .failure(let refusal): box.show(refusal.message)
    case .success(let answer):
      for piece in answer["output"]?.listValue ?? List() {
        box.show(piece["text"]?.stringValue ?? "")
      }
      switch answer["status"]?.stringValue {
      case "left": effects = [.leave]
      case "asks": box.question = answer["question"]?.stringValue ?? ""
      case "incomplete": box.show("the line isn't complete")
      default: break
      }
    }
    stage.overlay = .prompt(box)
    return effects
  }

  static func takeCompletion(_ stage: inout Stage, _ result: Result<Value, StageRefusal>) {
    guard case .prompt(var box)? = stage.overlay, case .success(let answer) = result else { return }
    let candidates = (answer["candidates"]?.listValue ?? List()).map {
      ($0["text"]?.stringValue ?? "", $0["suffix"]?.stringValue ?? "")
    }
    guard let first = candidates.first, let start = answer["from"]?.intValue else { return }
    if candidates.count == 1 {
      box.field.replace(fromByte: Int(clamping: start), with: first.0 + first.1)
      box.candidates = ""
    } else {
      let common = candidates.dropFirst().reduce(first.0) { common, next in
        String(zip(common, next.0).prefix { $0 == $1 }.map(\.0))
      }
      box.field.replace(fromByte: Int(clamping: start), with: common)
      box.candidates = candidates.prefix(100).map(\.0).joined(separator: "  ")
    }
    stage.overlay = .prompt(box)
  }
}
