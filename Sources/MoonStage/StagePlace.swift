import Moonwire

/// The place of a person on a screen.
struct StagePlace {
  var target = 0
  /// The part that has the focus, by which it is found again when the screen changes.
  var name: TargetName?
  /// The first line that is seen.
  var top = 0
  /// Whether what is seen follows the focus when the screen changes: not where a person has
  /// scrolled away from it, nor on a new screen whose first control is below what is seen.
  var followsFocus = false
  /// The part that the host was told last to have the focus, since the screen is seen.
  var told: TargetName?
  /// What it was told and the screen hasn't answered by wanting the same, the latest last.
  var unanswered: [TargetName] = []
  /// The part that the screen wants to have the focus.
  var wanted: TargetName?
  /// The text that is searched.
  var search = ""
  /// The line that was found last; nil once a person has moved on.
  var found: Int?
  /// The row from which on the host was asked to draw a list, by the list's id.
  var askedRows: [Text: Int] = [:]
  /// The row that gets the focus once it is drawn; nil if what has the focus is drawn.
  var awaitedRow: AwaitedRow?
  /// The search that goes on as rows are drawn.
  var hunt: Hunt?
}

/// What something that can be used is found by when its screen changes.
enum TargetName: Equatable, Sendable {
  case control(Text, Int)
  case input(Text, Int?)
}

extension StageContent {
  /// Returns what a target is found by when the screen changes.
  func name(ofTarget index: Int, on screen: StageScreen) -> TargetName? {
    guard targets.indices.contains(index), let card = screen.card else { return nil }
    switch targets[index].part {
    case .control(let number):
      // An id is found wherever the control has moved.
      return card.control(numbered: number).map { control in
        control.id.map { .control($0, 0) } ?? .control(control.title, number)
      }
    case .input(let number, let choice):
      return card.input(numbered: number).map { .input($0.id, choice) }
    }
  }

  /// Returns the target that the screen wants to have the focus; nil if it wants none.
  func wantedTarget(on screen: StageScreen) -> Int? {
    targets.indices.first { index in
      switch targets[index].part {
      case .control(let number): screen.card?.control(numbered: number)?.isFocused ?? false
      case .input(let number, _): screen.card?.input(numbered: number)?.isFocused ?? false
      }
    }
  }
}
