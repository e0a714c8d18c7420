import MoonCards
import MoonModules
import MoonNavigation
package import MoonValues

/// What a person saw when they used a screen, so that nothing that has come in its place is used.
package struct SeenScreen: Sendable {
  /// The screen's id; nil for whatever is on top.
  private let id: Text?
  /// Some of the control's ``MoonCards/CardControl/facts``; none for whatever has its number.
  private let control: Map

  package init(id: Text? = nil, control: Map = Map()) {
    (self.id, self.control) = (id, control)
  }

  /// Checks that the screen on top is the one that was seen.
  ///
  /// - Throws: ``ScreenError/covered(_:)``
  func check(_ top: Screen?) throws(ScreenError) {
    guard let id, top?.id != id else { return }
    throw .covered(id.string)
  }

  /// Returns the control that had a number when it was seen, also if it has another one now.
  ///
  /// - Throws: ``ScreenError``
  func control(numbered number: Int, in card: Card) throws(ScreenError) -> CardControl {
    let found = card.control(numbered: number)
    if let found, fits(found) { return found }
    guard !control.isEmpty else {
      throw .noControl("\(number)", known: card.controls.map { "\($0.number) \($0.title)" })
    }
    let fitting = card.controls.filter(fits)
    let name = control["title"]?.stringValue ?? found?.title.string ?? "\(number)"
    guard let first = fitting.first else { throw .changed(name) }
    guard fitting.count == 1 else {
      throw .ambiguousControl(name, numbers: fitting.map(\.number))
    }
    return first
  }

  private func fits(_ found: CardControl) -> Bool {
    let facts = control.isEmpty ? Map() : found.facts
    return control.allSatisfy { facts[$0.key] == $0.value }
  }
}
