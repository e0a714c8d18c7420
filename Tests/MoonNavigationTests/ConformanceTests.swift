import MoonNavigation
import MoonValues
import Testing

/// The behaviour of this navigation's ancestors, either reproduced or corrected.
struct ConformanceTests {
  @Test(arguments: AncestorCase.caesura + AncestorCase.visper)
  func `the ancestors' behaviour is reproduced or corrected`(item: AncestorCase) throws {
    let tree = try NavigationTree(windows: item.windows)
    let action = NavigationAction(item.operation, origin: item.origin)
    switch item.outcome {
    case .reports(let summaries, let drawing):
      let transition = try tree.applying(action)
      #expect(transition.completions.map(\.summary) == summaries)
      #expect(transition.completions.allSatisfy { $0.origin == item.origin })
      if let drawing { #expect(transition.tree.drawing.dropFirst().elementsEqual(drawing)) }
    case .nothing:
      let transition = try tree.applying(action)
      #expect(transition.completions.isEmpty && transition.events.isEmpty)
      #expect(transition.tree == tree)
    case .error(let error):
      #expect(throws: error) { try tree.applying(action) }
    }
  }

  @Test func `a no-op of the code leaves the next report to the person`() throws {
    let tree = try NavigationTree(.stack("s", of: "ab"))
    let same = try tree.applying(NavigationAction(.popTo("b"), origin: .code))
    #expect(same.completions.isEmpty)
    let popped = try same.tree.applying(NavigationAction(.pop(), origin: .user))
    #expect(popped.completions.map(\.summary) == ["pop b"])
    #expect(popped.completions.map(\.origin) == [.user])
  }

  @Test func `tabs that were emptied take new ones without a placeholder`() throws {
    let tree = try NavigationTree(.tabs(of: "ab", selected: 1))
    let emptied = try tree.applying(NavigationAction(.setTabs([])))
    #expect(emptied.completions.map(\.summary) == ["select a 1→0", "tabs [a,b]→[]"])
    #expect(emptied.tree.topScreen == nil)
    #expect(emptied.tree.topNode(ofWindow: "main")?.id == "tabs")
    let filled = try emptied.tree.applying(NavigationAction(.setTabs([.screen("c")])))
    #expect(filled.completions.map(\.summary) == ["insert c 0"])
    #expect(filled.tree.topScreen?.id == "c")
  }

  @Test func `the first window shows nothing until its root is set`() throws {
    let started = try NavigationTree().applying(NavigationAction(.start(window: "main")))
    #expect(started.completions.map(\.summary) == ["start main 0"])
    #expect(started.tree.windows == [NavigationWindow(id: "main")])
    let set = try started.tree.applying(NavigationAction(.set(.screen("a"))))
    #expect(set.completions.map(\.summary) == ["set -→a"])
    #expect(set.tree.keyWindowID == "main")
    #expect(set.tree.topScreen?.id == "a")
  }
}

/// One case of an ancestor.
struct AncestorCase: CustomTestStringConvertible, Sendable {
  enum Fate: String {
    case reproduced
    case mended
  }

  enum Outcome {
    /// The expected completions, and the drawing below the window if it matters.
    case reports([String], [String]? = nil)
    case nothing
    case error(NavigationError)
  }

  let name: String
  let fate: Fate
  let windows: [NavigationWindow]
  let operation: NavigationAction.Operation
  let origin: NavigationOrigin
  let outcome: Outcome

  init(
    _ fate: Fate, _ name: String, _ root: NavigationNode?,
    _ operation: NavigationAction.Operation, _ origin: NavigationOrigin, _ outcome: Outcome
  ) {
    self.name = name
    self.fate = fate
    windows = [NavigationWindow(id: "main", root: root)]
    self.operation = operation
    self.origin = origin
    self.outcome = outcome
  }

  init(
    _ fate: Fate, _ name: String, _ root: NavigationNode?,
    _ operation: NavigationAction.Operation, _ outcome: Outcome
  ) {
    self.init(fate, name, root, operation, .code, outcome)
  }

  var testDescription: String { "\(name) (\(fate.rawValue))" }
}
