import MoonModules
import MoonNavigation
import MoonValues

/// What a session remembers about its screens in addition to the navigation.
struct ScreenRecords {
  /// The room for a screen on the terminal that shows the session; nil if none was told of.
  var size: ScreenSize?
  /// The screen that is being drawn.
  var drawn: Text?
  /// What people have done to screens and not submitted.
  var forms = ScreenForms()
  /// The screens that presenters have enriched.
  var presented = PresentedScreens()
  /// The modules that had a hand in screens of others.
  var givers = ScreenGivers()
  /// The reported faults of view extensions.
  var extensionFaults = ExtensionFaults()
  /// The slices that the code that runs has read; nil while that isn't recorded.
  var reads: ReadSlices?

  /// Records a screen that presenters have enriched, or that no presenter concerns, with the slices
  /// that were read.
  ///
  /// Presenters that have read nothing never run again, so nothing is kept for them.
  mutating func note(_ made: Screen, _ presented: Screen, _ result: RouteResult) {
    if reads?.isEmpty ?? true {
      self.presented.forget(made.id)
    } else if let reads {
      self.presented.note(made, presented, result, reads)
    }
  }

  /// The number of rows that are drawn of a list where no terminal is known.
  private static let rowsWithoutTerminal = 20
  /// The maximum number of rows that are drawn of a list.
  private static let rowsMax = 600

  /// Returns the rows of a list that are drawn: on a terminal, those that are seen and as many
  /// above and below.
  func visibleRows(ofList id: Text, rowCount: Int) -> Range<Int> {
    let count = size.map { min(3 * $0.rows, Self.rowsMax) } ?? Self.rowsWithoutTerminal
    let wanted = drawn.flatMap { forms[$0].firstRows[id] } ?? 0
    let first = max(0, min(wanted, rowCount - count))
    return first..<min(first + count, max(0, rowCount))
  }

  /// Whether anything is remembered about single screens, until they are gone.
  var areKept: Bool { !forms.isEmpty || !presented.isEmpty || !givers.isEmpty }

  /// Records that a slice is read, or the whole state if there is no key.
  mutating func noteRead(of key: Key?, in state: Map) {
    if reads != nil { reads?.note(key, in: state) }
  }
}
