import Moonwire

/// What follows from keys that move the focus or what is seen.
enum FocusKeys {
  /// Moves the focus, or what is seen; returns nil for another key.
  static func press(_ stage: inout Stage, _ key: StageKey) -> [StageEffect]? {
    let height = max(1, stage.bodyArea.height)
    switch key {
    case .tab: step(&stage, 1, wraps: true)
    case .backTab: step(&stage, -1, wraps: true)
    case .down, .character("j"): moveDown(&stage, typing: key == .down)
    case .up, .character("k"): moveUp(&stage, typing: key == .up)
    case .right, .character("l"): moveSideways(&stage, 1)
    case .left: moveSideways(&stage, -1)
    case .character("h"): if !moveSideways(&stage, -1) { return AppKeys.goBack(stage) }
    case .pageDown, .control("f"): page(&stage, height - 1)
    case .pageUp, .control("b"): page(&stage, 1 - height)
    case .home, .character("g"): page(&stage, -stage.content.lines.count)
    case .end, .character("G"): page(&stage, stage.content.lines.count)
    default: return nil
    }
    return []
  }

  private static func step(_ stage: inout Stage, _ step: Int, wraps: Bool) {
    let count = stage.content.targets.count
    guard count > 0 else { return stage.scroll(by: step) }
    stage.focus((stage.place.target + step + count) % count)
    TypingKeys.begin(&stage)
  }

  private static func moveDown(_ stage: inout Stage, typing: Bool) {
    guard let now = stage.focusedTarget,
      let row = stage.content.targets[stage.place.target...].first(where: { $0.row > now.row })?.row
    else { return stage.scroll(by: 1) }
    // What lies between is read first.
    if row >= stage.place.top + stage.bodyArea.height + 2 { return stage.scroll(by: 1) }
    focusNearest(&stage, inRow: row, to: now.column)
    if typing { TypingKeys.begin(&stage) }
  }

  private static func moveUp(_ stage: inout Stage, typing: Bool) {
    guard let now = stage.focusedTarget,
      let row = stage.content.targets[..<stage.place.target].last(where: { $0.row < now.row })?.row
    else { return stage.scroll(by: -1) }
    if row < stage.place.top - 2 { return stage.scroll(by: -1) }
    focusNearest(&stage, inRow: row, to: now.column)
    if typing { TypingKeys.begin(&stage) }
  }

  private static func focusNearest(_ stage: inout Stage, inRow row: Int, to column: Int) {
    let found = stage.content.targets.indices.filter { stage.content.targets[$0].row == row }
    let nearest = found.min {
      abs(stage.content.targets[$0].column - column)
        < abs(stage.content.targets[$1].column - column)
    }
    if let nearest { stage.focus(nearest) }
  }

  @discardableResult
  private static func moveSideways(_ stage: inout Stage, _ step: Int) -> Bool {
    let next = stage.place.target + step
    guard let now = stage.focusedTarget, stage.content.targets.indices.contains(next),
      stage.content.targets[next].row == now.row
    else { return false }
    stage.focus(next)
    return true
  }

  /// Scrolls by a number of lines, and takes the focus along.
  private static func page(_ stage: inout Stage, _ step: Int) {
    stage.scroll(by: step)
    let seen = stage.place.top..<stage.place.top + max(1, stage.bodyArea.height)
    let visible = stage.content.targets.indices.filter {
      seen.contains(stage.content.targets[$0].row)
    }
    if let next = step > 0 ? visible.last : visible.first { stage.focus(next) }
  }
}
