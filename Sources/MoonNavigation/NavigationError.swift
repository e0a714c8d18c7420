public import MoonValues

/// The reason why a tree is invalid, or why an action can't be applied to it.
///
/// Positions are counted from 0, as everywhere in Swift; ``description`` counts from 1, as Lua.
public enum NavigationError: Error, Hashable, Sendable {
  /// The tree has no window.
  case noWindow
  /// No window has that id.
  case unknownWindow(Text)
  /// The window has no root, so there is nothing to change.
  case emptyWindow(Text)
  /// What is on top in the window isn't in a stack; `top` is the screen or container there.
  case noStack(window: Text, top: Text)
  /// What is on top in the window is a tab that is a screen and no stack.
  case bareTab(window: Text, top: Text)
  /// What is on top in the window isn't in tabs; `top` is the screen or container there.
  case noTabs(window: Text, top: Text)
  /// Nothing in the tree has that id.
  case unknownID(Text)
  /// The id is that of a container, where a screen is meant.
  case notAScreen(Text)
  /// The screen isn't in the stack that is on top.
  case notInStack(Text, stack: Text)
  /// The tabs on top have no such tab.
  case notATab(Text, tabs: Text)
  /// The screen isn't below what is on top, so there is no way back to it.
  case notBehind(Text, window: Text)
  /// No screen below what is on top has that URL.
  case noURLBehind(Text, window: Text)
  /// There is at most one screen in the stack.
  case nothingToPop(stack: Text)
  /// Nothing is presented in the window.
  case nothingToDismiss(window: Text)
  /// There is neither a screen to pop nor anything to dismiss.
  case nothingBehind(window: Text)
  /// A place in tabs that isn't there.
  case indexOutOfRange(Int, count: Int, tabs: Text)
  /// The number of screens to pop or dismiss isn't positive.
  case invalidCount(Int)
  /// An id that two windows, containers or screens would have.
  case duplicateID(Text)
  /// A place presents one thing at a time.
  case alreadyPresenting(Text)
  /// A container inside one that can't hold it: stacks hold screens, tabs hold screens and stacks.
  case misplaced(Text, in: Text)
  /// An index that selects none of the tabs.
  case invalidSelection(Int, count: Int, tabs: Text)
  /// The key window isn't one of the windows, or is missing although there are some.
  case invalidKeyWindow(Text?)
  /// A screen that isn't in the tree is listed as loaded.
  case unknownLoadedID(Text)
  /// A limit of the tree is exceeded.
  case limitExceeded(Limit, max: Int)
  /// A completion doesn't apply to this tree; the id is where the tree differs.
  case completionMismatch(Text, id: Text)

  /// What is limited in a tree.
  public enum Limit: String, Hashable, Sendable {
    /// Windows.
    case windows
    /// Screens and containers in the whole tree.
    case nodes
    /// Tabs in one container.
    case tabs
    /// Lists and maps that the tree's value nests around a screen.
    case depth
    /// Lists and maps that a screen nests in its parameters, props or body.
    case content
    /// What the whole tree counts where bytes are limited, see `Value.storageCost`.
    case size
  }
}

extension NavigationError: CustomStringConvertible {
  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .noWindow: "there is no window"
    case .unknownWindow(let id): "no window \(id)"
    case .emptyWindow(let id): "window \(id) is empty"
    case .noStack(let window, let top): "\(top) on top of window \(window) isn't in a stack"
    case .bareTab(let window, let top):
      "\(top) on top of window \(window) is a tab of its own, without a stack"
    case .noTabs(let window, let top): "\(top) on top of window \(window) isn't in tabs"
    case .unknownID(let id): "no screen or container \(id)"
    case .notAScreen(let id): "\(id) is a container and no screen"
    case .notInStack(let id, let stack): "\(id) isn't in the stack \(stack) on top"
    case .notATab(let id, let tabs): "\(id) isn't one of the tabs \(tabs)"
    case .notBehind(let id, let window): "\(id) isn't below the top of window \(window)"
    case .noURLBehind(let url, let window):
      "no screen for \(url) below the top of window \(window)"
    case .nothingToPop(let stack): "nothing to pop: the stack \(stack) has no second screen"
    case .nothingToDismiss(let window): "nothing to dismiss: window \(window) presents nothing"
    case .nothingBehind(let window): "nothing to go back to in window \(window)"
    case .indexOutOfRange(let index, let count, let tabs):
      "no place \(index.countedFromOne) in the tabs \(tabs), which are \(count)"
    case .invalidCount(let count): "\(count) isn't a number of screens"
    case .duplicateID(let id): "the id \(id) is taken"
    case .alreadyPresenting(let id): "\(id) presents something already"
    case .misplaced(let id, let container): "\(id) can't stand in \(container)"
    case .invalidSelection(let index, let count, let tabs):
      "selected \(index.countedFromOne) of the tabs \(tabs), which are \(count)"
    case .invalidKeyWindow(let id):
      if let id { "the key window \(id) isn't there" } else { "no window is the key window" }
    case .unknownLoadedID(let id): "no screen \(id), but it is noted as loaded"
    case .limitExceeded(let limit, let max): limit.sentence(max)
    case .completionMismatch(let type, let id): "\(type) doesn't fit the tree at \(id)"
    }
  }
}

extension NavigationError.Limit {
  fileprivate func sentence(_ max: Int) -> String {
    switch self {
    case .windows: "there can't be more than \(max) windows"
    case .nodes: "there can't be more than \(max) screens and containers"
    case .tabs: "there can't be more than \(max) tabs side by side"
    case .depth: "its screens are nested more than \(max) lists and maps deep"
    case .content: "what a screen holds is nested more than \(max) lists and maps deep"
    case .size: "what all screens hold would take more than \(max >> 20) MB"
    }
  }
}
