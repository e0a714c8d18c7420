import Moonwire

/// What follows from keys while text is searched.
enum SearchKeys {
  static func press(_ stage: inout Stage, _ key: StageKey, in opened: TextField) -> [StageEffect] {
    var field = opened
    switch key {
    case .escape:
      (stage.overlay, stage.place.search) = (nil, "")
      return []
    case .enter:
      stage.overlay = nil
      stage.place.search = field.text
      return []
    default:
      guard field.take(key) else { return [.beep] }
    }
    stage.place.search = field.text
    stage.overlay = .search(field)
    find(&stage, from: 0)
    return []
  }

  /// Goes to the next line with the text that is searched; `step` of 0 stays on a line that has it.
  static func find(_ stage: inout Stage, from step: Int) {
    let wanted = stage.place.search.lowercased()
    guard !wanted.isEmpty, !stage.content.lines.isEmpty else { return }
    let focused = stage.isFocusInSight ? stage.focusedTarget?.row : nil
    let now = stage.place.found ?? focused ?? stage.place.top
    let found = stage.content.lines.indices.filter {
      stage.content.lines[$0].text.lowercased().contains(wanted)
    }
    let next =
      step < 0
      ? found.last { $0 < now } ?? found.last
      : found.first { step == 0 ? $0 >= now : $0 > now } ?? found.first
    guard let row = next else {
      let place = stage.content.lists.isEmpty ? "what is shown" : "the rows that are drawn"
      return stage.bar.note = "\(stage.place.search) isn't in \(place)"
    }
    let height = max(1, stage.bodyArea.height)
    if row < stage.place.top || row >= stage.place.top + height {
      stage.place.top = max(0, row - height / 2)
    }
    let target =
      stage.content.targets.firstIndex { $0.row == row }
      ?? stage.content.targets.lastIndex { $0.row <= row }
    if let target { (stage.place.target, stage.place.name) = (target, nil) }
    stage.place.found = row
    stage.place.top = min(stage.place.top, max(0, stage.content.lines.count - height))
    stage.place.followsFocus = stage.isFocusInSight
  }
}
