import Moonwire

/// What follows from keys that move the focus or what is seen.
enum FocusKeys {
  /// Moves the focus, or what is seen; returns nil for another key.
  static func press(_ stage: inout Stage, _ key: StageKey) -> [StageEffect]? {
    let height = max(1, stage.bodyArea.height)
    let before = (stage.place.target, stage.place.top)
    switch key {
    case .tab: step(&stage, 1, wraps: true)
    case .backTab: step(&stage, -1, wraps: true)
    case .down, .character("j"): moveDown(&stage, typing: key == .down)
    case .up, .character("k"): moveUp(&stage, typing: key == .up)
    case .right, .character("l"): moveSideways(&stage, 1)
    case .left: moveSideways(&stage, -1)
    case .character("h"): if !moveSideways(&stage, -1) { return AppKeys.goBack(stage) }
    case .pageDown, .control("f"): page(&stage, height - 1)
    case .character(" ") where stage.content.targets.isEmpty: page(&stage, height - 1)
    case .pageUp, .control("b"): page(&stage, 1 - height)
    case .home, .character("g"): page(&stage, -stage.content.lines.count)
    case .end, .character("G"): page(&stage, stage.content.lines.count)
    default: return nil
    }
    // The app may show more where the focus is about to be.
    if before == (stage.place.target, stage.place.top), stage.keys.followsFocus {
      stage.told.held.hold(key)
    }
    return []
  }

  /// Shows the next page, as pagers do; returns false if there is none.
  static func readOn(_ stage: inout Stage) -> Bool {
    let top = stage.place.top
    stage.scroll(by: max(1, stage.bodyArea.height - 1))
    return stage.place.top != top
  }

  private static func step(_ stage: inout Stage, _ step: Int, wraps: Bool) {
    let count = stage.content.targets.count
    guard count > 0 else { return stage.scroll(by: step) }
    stage.focus((stage.place.target + step + count) % count)
    TypingKeys.begin(&stage)
  }

  private static func moveDown(_ stage: inout Stage, typing: Bool) {
    if stage.isFocusInSight, moveOverUndrawnRows(&stage, 1) { return }
    guard let now = stage.focusedTarget, now.row < stage.place.top + stage.bodyArea.height else {
      return stage.scroll(by: 1)
    }
    let below = stage.content.targets[stage.place.target...].lazy.filter { $0.row > now.row }
    guard let row = (below.first(where: now.sharesColumns) ?? below.first)?.row else {
      return stage.scroll(by: 1)
    }
    // What lies between is read first.
    if row >= stage.place.top + stage.bodyArea.height + 2 { return stage.scroll(by: 1) }
    focusNearest(&stage, inRow: row, to: now.column)
    if typing { TypingKeys.begin(&stage) }
  }

  private static func moveUp(_ stage: inout Stage, typing: Bool) {
    if stage.isFocusInSight, moveOverUndrawnRows(&stage, -1) { return }
    guard let now = stage.focusedTarget else { return stage.scroll(by: -1) }
    let above = stage.content.targets[..<stage.place.target].lazy.filter { $0.row < now.row }
    guard let row = (above.last(where: now.sharesColumns) ?? above.last)?.row else {
      return stage.scroll(by: -1)
    }
    if row < stage.place.top - 2 { return stage.scroll(by: -1) }
    focusNearest(&stage, inRow: row, to: now.column)
    if typing { TypingKeys.begin(&stage) }
  }

  /// Moves the focus to the next row of a list if it isn't drawn, or on from such a row; returns
  /// false if both are drawn.
  private static func moveOverUndrawnRows(_ stage: inout Stage, _ step: Int) -> Bool {
    guard let awaited = stage.awaitedLines else {
      let line = stage.focusedTarget.flatMap {
        stage.content.lineBeyondDrawnRows(from: $0.row, step)
      }
      return line.map { stage.awaitRow(ofLine: $0) } ?? false
    }
    let line = step > 0 ? awaited.upperBound : awaited.lowerBound - 1
    if stage.awaitRow(ofLine: line) { return true }
    let targets = stage.content.targets
    let next =
      step > 0
      ? targets.firstIndex { $0.row >= line } : targets.lastIndex { $0.row <= line }
    if let next { stage.focus(next) } else { stage.keepFocusInSight() }
    return true
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
    guard let now = stage.focusedTarget else { return false }
    if stage.content.targets.indices.contains(next), stage.content.targets[next].row == now.row {
      stage.focus(next)
      return true
    }
    guard now.isBlock, let beside = nearest(beside: now, step, among: stage.content.targets) else {
      return false
    }
    stage.focus(beside)
    return true
  }

  /// Returns the target in the next column, in the row that is nearest.
  private static func nearest(
    beside now: StageContent.Target, _ step: Int, among targets: [StageContent.Target]
  ) -> Int? {
    let beside = targets.indices.filter { index in
      let target = targets[index]
      return step > 0
        ? target.column >= now.column + now.width : target.column + target.width <= now.column
    }
    return beside.min { left, right in
      let (left, right) = (targets[left], targets[right])
      let (near, far) = (abs(left.column - now.column), abs(right.column - now.column))
      return near == far ? abs(left.row - now.row) < abs(right.row - now.row) : near < far
    }
  }

  /// Scrolls by a number of lines, and takes the focus along.
  private static func page(_ stage: inout Stage, _ step: Int) {
    stage.place.awaitedRow = nil
    stage.scroll(by: step)
    if let edge = step > 0 ? stage.seenLines.last : stage.seenLines.first,
      stage.awaitRow(ofLine: edge)
    {
      return
    }
    let seen = stage.seenTargets
    if let next = step > 0 ? seen.last : seen.first { stage.focus(next) }
  }
}

extension StageContent.Target {
  /// Whether this is a block, and another target is in the same columns of the screen.
  fileprivate func sharesColumns(_ other: Self) -> Bool {
    isBlock && other.column < column + width && column < other.column + other.width
  }
}
