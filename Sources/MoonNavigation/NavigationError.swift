public import MoonValues

/// The reason that a tree is invalid, or that an action can't be applied to it.
///
/// Positions are counted from 0, as in Swift. In ``description`` they are counted from 1, as in
/// Lua.
public enum NavigationError: Error, Hashable, Sendable {
  /// The tree has no window.
  case noWindow
  /// No window has this id.
  case unknownWindow(Text)
  /// The window has no root.
  case emptyWindow(Text)
  /// The top of the window isn't in a stack; `top` is the screen or container there.
  case noStack(window: Text, top: Text)
  /// The top of the window is a tab that is a screen, not a stack.
  case bareTab(window: Text, top: Text)
  /// The top of the window is a column that is a screen, not a stack.
  case bareColumn(window: Text, top: Text)
  /// The top of the window isn't in a split view; `top` is the screen or container there.
  case noSplit(window: Text, top: Text)
  /// The split view can't be changed while something is presented over it; `top` is the screen or
  /// container there.
  case coveredSplit(window: Text, top: Text)
  /// The id belongs to no split view.
  case notASplit(Text)
  /// The top of the window isn't in tabs; `top` is the screen or container there.
  case noTabs(window: Text, top: Text)
  /// No part of the tree has this id.
  case unknownID(Text)
  /// The id belongs to a container, but a screen is required.
  case notAScreen(Text)
  /// The screen isn't in the top stack.
  case notInStack(Text, stack: Text)
  /// The tabs on top have no such tab; `known` are the ids of those they have.
  case notATab(Text, known: [Text])
  /// The tabs can't be changed while something is presented over them; `top` is the screen or
  /// container there.
  case coveredTabs(window: Text, top: Text)
  /// The screen isn't below the top, so it can't be returned to.
  case notBelow(Text, window: Text)
  /// No screen below the top has this URL.
  case noURLBelow(Text, window: Text)
  /// The stack has at most one screen.
  case nothingToPop(stack: Text)
  /// Nothing is presented in the window.
  case nothingToDismiss(window: Text)
  /// There is no screen to pop or dismiss.
  case nothingBelow(window: Text)
  /// The position isn't one of the tabs.
  case indexOutOfRange(Int, count: Int, tabs: Text)
  /// The number of screens to pop or dismiss isn't positive.
  case invalidCount(Int)
  /// Two windows, containers or screens would have this id; the holder is the first one.
  case duplicateID(Text, holder: Holder)
  /// The screen or container already presents another.
  case alreadyPresenting(Text)
  /// The container is inside one that can't hold it.
  ///
  /// Stacks hold screens; split views hold screens and stacks, and tabs hold split views, too.
  case misplaced(Text, in: Text)
  /// The selected index isn't that of a tab.
  case invalidSelection(Int, count: Int, tabs: Text)
  /// The key window isn't one of the windows, or is missing although there are windows.
  case invalidKeyWindow(Text?)
  /// A screen listed as loaded isn't in the tree.
  case unknownLoadedID(Text)
  /// A limit of the tree is exceeded.
  case limitExceeded(Limit, max: Int)
  /// A completion doesn't apply to this tree; `id` is the place of the difference.
  case completionMismatch(Text, id: Text)

  /// What has an id.
  public enum Holder: String, Hashable, Sendable {
    /// A window.
    case window
    /// A stack.
    case stack
    /// Tabs.
    case tabs
    /// A split view.
    case split
    /// A screen.
    case screen
  }

  /// The limits of a tree.
  public enum Limit: String, Hashable, Sendable {
    /// Windows.
    case windows
    /// Screens and containers in the whole tree.
    case nodes
    /// Tabs in one container.
    case tabs
    /// Screens of one module that are presented over one another.
    case presented
    /// Nested lists and maps of the tree's value around a screen.
    case depth
    /// Nested lists and maps in a screen's parameters, props or body.
    case content
    /// The size of the tree; see `Value.storageCost`.
    case size
    /// Bytes of the kind or id of a screen, or of the id of a container or window.
    case name
    /// Screens of one module in the whole tree, with the containers that hold them.
    case nodesOfModule
    /// The size of the screens of one module.
    case sizeOfModule
    /// Windows of one module.
    case windowsOfModule
  }
}

extension NavigationError: CustomStringConvertible {
  /// The problem, in a few words.
  public var description: String {
    switch self {
    case .noWindow: "there is no window"
    case .unknownWindow(let id): "no window \(id)"
    case .emptyWindow(let id): "window \(id) is empty"
    case .noStack(let window, let top): "\(top) on top of window \(window) isn't in a stack"
    case .bareTab(let window, let top):
      "\(top) on top of window \(window) is a tab of its own, without a stack"
    case .bareColumn(let window, let top):
      "\(top) on top of window \(window) is a column of its own, without a stack"
    case .noSplit(let window, let top): "\(top) on top of window \(window) isn't in a split view"
    case .coveredSplit(let window, let top):
      "\(top) is presented over the split view of window \(window)"
    case .notASplit(let id): "\(id) is no split view"
    case .noTabs(let window, let top): "\(top) on top of window \(window) isn't in tabs"
    case .unknownID(let id): "no screen or container \(id)"
    case .notAScreen(let id): "\(id) is a container and no screen"
    case .notInStack(let id, let stack): "\(id) isn't in the stack \(stack) on top"
    case .notATab(let id, let known):
      known.isEmpty
        ? "there is no tab \(id): there are none"
        : "there is no tab \(id): there are \(Wording.list(known.map(\.string)))"
    case .coveredTabs(let window, let top):
      "\(top) is presented over the tabs of window \(window)"
    case .notBelow(let id, let window): "\(id) isn't below the top of window \(window)"
    case .noURLBelow(let url, let window):
      "no screen for \(url) below the top of window \(window)"
    case .nothingToPop(let stack): "nothing to pop: the stack \(stack) has no second screen"
    case .nothingToDismiss(let window): "nothing to dismiss: window \(window) presents nothing"
    case .nothingBelow(let window): "nothing to go back to in window \(window)"
    case .indexOutOfRange(let index, let count, let tabs):
      "no place \(index.countedFromOne) in the tabs \(tabs), which are \(count)"
    case .invalidCount(let count): "\(count) isn't a number of screens"
    case .duplicateID(let id, let holder): "the id \(id) is taken by \(holder.withArticle)"
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

extension NavigationError.Holder {
  fileprivate var withArticle: String {
    switch self {
    case .tabs: "tabs"
    case .split: "a split view"
    case .window, .stack, .screen: "a \(rawValue)"
    }
  }

  init(_ node: NavigationNode) {
    self =
      switch node.content {
      case .screen: .screen
      case .stack: .stack
      case .tabs: .tabs
      case .split: .split
      }
  }
}

extension NavigationError.Limit {
  fileprivate func sentence(_ max: Int) -> String {
    switch self {
    case .windows: "there can't be more than \(max) windows"
    case .nodes: "there can't be more than \(max) screens and containers"
    case .tabs: "there can't be more than \(max) tabs side by side"
    case .presented: "a module can't present more than \(max) screens over one another"
    case .depth: "its screens are nested more than \(max) lists and maps deep"
    case .content: "what a screen holds is nested more than \(max) lists and maps deep"
    case .size: "what all screens hold would take more than \(max >> 20) MB"
    case .name: "a kind or an id can't have more than \(max) bytes"
    case .nodesOfModule: "one module can't have more than \(max) screens, with their containers"
    case .sizeOfModule: "what the screens of one module hold would take more than \(max >> 20) MB"
    case .windowsOfModule: "one module can't have more than \(max) windows"
    }
  }
}
