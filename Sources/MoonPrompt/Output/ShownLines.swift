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

  /// What may have changed the screen.
  enum Change {
    /// Modules have changed, so that the screen may look different.
    case modules
    /// The screen was drawn, and looked like this; nil if there was none.
    case drawing(ShownScreen?)
  }

  private struct Contents {
    var shown: ShownScreen?
    var lines: [String] = []
    var failureCount = 0
    /// Whether a line is being carried out.
    var isBusy = false
    /// What happened meanwhile.
    var change: Change?
    /// Where the trail of a screen stands that is shown once the line's tasks have ended.
    var held: ScreenText.TrailPlace?

    /// Returns whether the screen may look different from what is shown.
    func isOutdated(by change: Change) -> Bool {
      switch change {
      case .modules: true
      case .drawing(let drawn): drawn != shown
      }
    }
  }

  private let contents = Mutex(Contents())

  /// Whether the screen may be drawn without a request.
  var mayDraw: Bool { contents.withLock { $0.failureCount < Self.failureCountMax } }

  /// Notes that the screen is to be shown once the line's tasks have ended.
  func hold(_ trail: ScreenText.TrailPlace) { contents.withLock { $0.held = trail } }

  /// Returns what was held, which isn't any more.
  func takeHeld() -> ScreenText.TrailPlace? {
    contents.withLock { contents in
      defer { contents.held = nil }
      return contents.held
    }
  }

  /// Notes that a line is being carried out, which shows the screen itself.
  func beginLine() { contents.withLock { $0.isBusy = true } }

  /// Notes that the line has ended; returns whether the screen changed meanwhile, and the line
  /// hasn't shown it.
  func endLine() -> Bool {
    contents.withLock { contents in
      defer { (contents.isBusy, contents.change) = (false, nil) }
      return contents.change.map(contents.isOutdated) ?? false
    }
  }

  /// Returns whether the screen must be redrawn at once; during a line, it is redrawn afterwards.
  func takes(_ change: Change) -> Bool {
    contents.withLock { contents in
      guard contents.isBusy else { return contents.isOutdated(by: change) }
      if case .modules? = contents.change { return false }
      contents.change = change
      return false
    }
  }

  /// Resets the count of failed drawings, since modules have changed.
  func forgive() { contents.withLock { $0.failureCount = 0 } }

  /// Records the lines of a screen that is shown anyway.
  func note(_ lines: [String], of snapshot: ScreenSnapshot) {
    contents.withLock { contents in
      contents.shown = snapshot.shown
      contents.lines = lines
      contents.failureCount = snapshot.shown.failure == nil ? 0 : contents.failureCount + 1
    }
  }

  /// Records the lines of a screen; returns those to show.
  ///
  /// These are none if nothing has changed, the changed ones below the first line, or all.
  func changes(to lines: [String], of snapshot: ScreenSnapshot, _ style: Style) -> [String] {
    let (shown, before) = contents.withLock { ($0.shown, $0.lines) }
    note(lines, of: snapshot)
    guard shown?.screen.id == snapshot.shown.screen.id else { return lines }
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
