import MoonModules
import MoonNavigation
import MoonValues

/// The screens that presenters have enriched, with the slices that the presenters read.
struct PresentedScreens {
  /// One screen and its presenters' work.
  struct Record {
    /// The screen before any presenter.
    let made: Screen
    /// The screen that the presenters left.
    let presented: Screen
    let result: RouteResult
    fileprivate(set) var reads: ReadSlices

    /// Whether this is the record of a screen in the navigation.
    func isOf(_ screen: Screen) -> Bool {
      presented.url == screen.url && presented.parameters == screen.parameters
    }
  }

  private var records: [Text: Record] = [:]
  /// The number of records from which those of missing screens are removed.
  private var countMax = Self.countMin
  private static let countMin = 16

  var isEmpty: Bool { records.isEmpty }

  subscript(id: Text) -> Record? { records[id] }

  /// Records a screen that presenters have enriched.
  mutating func note(
    _ made: Screen, _ presented: Screen, _ result: RouteResult, _ reads: ReadSlices
  ) {
    records[made.id] = Record(made: made, presented: presented, result: result, reads: reads)
  }

  /// Removes the record of a screen that is gone.
  mutating func forget(_ id: Text) {
    if !records.isEmpty { records[id] = nil }
  }

  /// Removes the records of screens that were made and never shown.
  ///
  /// - Complexity: O(1) per recorded screen, amortized.
  mutating func prune(to tree: NavigationTree) {
    guard records.count > countMax else { return }
    records = records.filter { tree.contains($0.key) }
    countMax = 2 * records.count + Self.countMin
  }

  /// Counts a change from one state to another as read.
  mutating func take(from old: Map, to new: Map) {
    for id in records.keys { records[id]?.reads.take(from: old, to: new) }
  }

  /// Counts the present state as read by the presenters of a screen.
  mutating func take(_ state: Map, for id: Text) { records[id]?.reads.take(state) }
}

/// The slices that some code has read, as they were.
struct ReadSlices {
  private var slices: [Key: Value?] = [:]
  /// The whole state, if it was read as a whole.
  private var whole: Map?

  /// Whether nothing was read.
  var isEmpty: Bool { slices.isEmpty && whole == nil }

  /// Notes that a slice is read, or the whole state if there is no key.
  mutating func note(_ key: Key?, in state: Map) {
    if let key { slices[key] = .some(state[key]) } else { whole = state }
  }

  /// Whether a slice differs from what was read.
  func differ(from state: Map) -> Bool {
    if let whole, !whole.isIdentical(to: state) { return true }
    return slices.contains { !Self.isSame($0.value, state[$0.key]) }
  }

  /// Counts the slices of a state as read.
  mutating func take(_ state: Map) {
    if whole != nil { whole = state }
    for key in slices.keys { slices[key] = .some(state[key]) }
  }

  /// Counts those slices of a new state as read that were as in an old one.
  mutating func take(from old: Map, to new: Map) {
    if whole?.isIdentical(to: old) ?? false { whole = new }
    for (key, value) in slices where Self.isSame(value, old[key]) {
      slices[key] = .some(new[key])
    }
  }

  private static func isSame(_ one: Value?, _ other: Value?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isIdentical(to: other) || one == other
  }
}
