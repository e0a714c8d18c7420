import MoonTerminal
import Testing

@testable import MoonPrompt
@testable import MoonSession
@testable import Moonwire

/// The lines shown of a screen that has changed.
struct ShownLinesTests {
  private static let before = ["Head", "  a", "  b", "  c", "  d"]

  static let changes: [(after: [String], shown: [String])] = [
    (before, []),
    (["Head", "  a", "  B", "  c", "  d"], ["Head", "  …", "  B", "  …"]),
    (["Head", "  a", "  b", "  c", "  d", "  e"], ["Head", "  …", "  e"]),
    (["Head", "  A", "  b", "  c", "  D"], ["Head", "  A", "  …", "  D"]),
    (["Head", "  b", "  d"], ["Head", "  …", "  (2 lines less)"]),
    (["Title", "  a", "  b", "  c", "  d"], ["Title", "  …"]),
    ([], []),
  ]

  @Test(arguments: changes)
  func `only changed lines are shown below the first`(after: [String], shown: [String]) {
    #expect(ShownLines.changes(from: Self.before, to: after, .plain) == shown)
  }

  @Test func `a screen that has changed much is shown whole`() {
    let after = ["Head"] + (1...20).map { "  \($0)" }
    #expect(ShownLines.changes(from: Self.before, to: after, .plain) == after)
  }

  @Test func `a change during a line is drawn after it, one at another time at once`() {
    let lines = ShownLines()
    #expect(lines.takes(.modules))
    lines.beginLine()
    #expect(!lines.takes(.modules))
    #expect(!lines.takes(.drawing(nil)))
    #expect(lines.endLine())
    #expect(lines.takes(.modules))
    lines.beginLine()
    #expect(!lines.endLine())
  }

  @Test func `a drawing that is shown already isn't drawn again`() {
    let lines = ShownLines()
    let (shown, other) = (Self.screen("a"), Self.screen("b"))
    lines.note([], of: ScreenSnapshot(shown: shown, tree: NavigationTree()))
    #expect(!lines.takes(.drawing(shown)))
    #expect(lines.takes(.drawing(other)))
    #expect(lines.takes(.drawing(nil)))
    lines.beginLine()
    #expect(!lines.takes(.drawing(other)))
    lines.note([], of: ScreenSnapshot(shown: other, tree: NavigationTree()))
    #expect(!lines.endLine())
  }

  private static func screen(_ id: Text) -> ShownScreen {
    ShownScreen(screen: .init(id: id), card: nil, failure: nil, inputs: Map(), isDrawn: false)
  }

  static let answers: [(lines: [String], shown: [String], left: [String])] = [
    (["a", "b", "c"], ["a", "b", "c"], []),
    (["a", "b\nc"], ["a", "b\nc"], []),
    (["a", "b\nc", "d"], ["a", "b"], ["c", "d"]),
    ([], [], []),
  ]

  @Test(arguments: answers)
  func `what doesn't fit is kept for later`(lines: [String], shown: [String], left: [String]) {
    let rest = AnswerPager()
    let (found, count) = rest.keep(lines, beyond: 3)
    #expect(found == shown)
    #expect(count == left.count)
    #expect(rest.take() == left)
    #expect(rest.take() == [])
  }

  @Test func `many reloads are summed up, and what is unusual is named`() throws {
    func reload(_ number: Int, _ state: SliceChange = .kept) throws -> HostEvent {
      let name = try #require(ModuleName("m\(number)"))
      return .reloaded(
        Reload(
          module: name, from: 1, to: 2, added: [Registration(.route, "/\(number)")], removed: [],
          state: state, libraries: ["lib/a.lua"], duration: .milliseconds(number)))
    }
    let few = try (1...10).map { try reload($0) }
    #expect(ReloadSummary(few) == nil)
    let many = try few + [reload(11), .removed(#require(ModuleName("old")))]
    #expect(
      ReloadSummary(many)?.lines(.plain) == [
        "11 modules reloaded: lib/a.lua changed, +11 routes, state kept, 11 ms", "1 module removed",
      ])
    let unusual = try few + [reload(11, .migrated(from: 1, to: 2))]
    #expect(
      ReloadSummary(unusual)?.lines(.plain) == [
        "11 modules reloaded: lib/a.lua changed, +11 routes, 11 ms",
        "m11 1→2: lib/a.lua changed, +1 route, state v1→v2 migrated, 11 ms",
      ])
  }
}
