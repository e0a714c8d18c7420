import MoonTerminal
import Moonwire
import Synchronization

/// The lines of the screen when it was last shown, used to show only changed lines.
final class ShownLines: Sendable {
  /// The number of failed drawings in a row after which the screen is drawn again only when modules
  /// change or a person requests it.
  static let failureCountMax = 3
  /// The number of changed lines at which the whole screen is shown instead.
  static let changeCountMax = 12

  private struct Contents {
    var screen: Text?
    var lines: [String] = []
    var failureCount = 0
    /// Whether a line is being carried out.
    var isBusy = false
    /// Whether the screen changed meanwhile.
    var isDue = false
  }

  private let contents = Mutex(Contents())

  /// Whether the screen may be drawn without a request.
  var mayDraw: Bool { contents.withLock { $0.failureCount < Self.failureCountMax } }

  /// Notes that a line is being carried out, which shows the screen itself.
  func beginLine() { contents.withLock { $0.isBusy = true } }

  /// Notes that the line has ended; returns whether the screen changed meanwhile.
  func endLine() -> Bool {
    contents.withLock { contents in
      defer { (contents.isBusy, contents.isDue) = (false, false) }
      return contents.isDue
    }
  }

  /// Returns whether the screen must be redrawn at once; during a line, it is redrawn afterwards.
  func takesChange() -> Bool {
    contents.withLock { contents in
      if contents.isBusy { contents.isDue = true }
      return !contents.isBusy
    }
  }

  /// Resets the count of failed drawings, since modules have changed.
  func forgive() { contents.withLock { $0.failureCount = 0 } }

  /// Records the lines of a screen that is shown anyway.
  func note(_ lines: [String], of snapshot: ScreenSnapshot) {
    contents.withLock { contents in
      contents.screen = snapshot.shown.screen.id
      contents.lines = lines
      contents.failureCount = snapshot.shown.failure == nil ? 0 : contents.failureCount + 1
    }
  }

  /// Records the lines of a screen; returns those to show.
  ///
  /// These are none if nothing has changed, the changed ones below the first line, or all.
  func changes(to lines: [String], of snapshot: ScreenSnapshot, _ style: Style) -> [String] {
    let (screen, before) = contents.withLock { ($0.screen, $0.lines) }
    note(lines, of: snapshot)
    guard screen == snapshot.shown.screen.id else { return lines }
    return Self.changes(from: before, to: lines, style)
  }

  /// Returns the changed lines below the first, with a mark for the unchanged lines between them.
  static func changes(from before: [String], to after: [String], _ style: Style) -> [String] {
    let difference = after.difference(from: before)
    guard !difference.isEmpty, let head = after.first else { return [] }
    let added = Set(
      difference.insertions.compactMap { change -> Int? in
        if case .insert(let offset, _, _) = change { offset } else { nil }
      })
    guard difference.insertions.count + difference.removals.count <= changeCountMax else {
      return after
    }
    var shown = [head]
    for (index, line) in after.enumerated().dropFirst() {
      if added.contains(index) {
        shown.append(line)
      } else if shown.last != mark(style) {
        shown.append(mark(style))
      }
    }
    let left = difference.removals.count - difference.insertions.count
    guard left > 0 else { return shown }
    return shown + [style.paint("  (\(Wording.counted(left, "line")) less)", .dim)]
  }

  private static func mark(_ style: Style) -> String { style.paint("  …", .dim) }
}
