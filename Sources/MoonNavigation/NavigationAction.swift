public import MoonValues

/// A change to make to a navigation tree.
public struct NavigationAction: Equatable, Sendable {
  /// The operation.
  public var operation: Operation
  /// The window to change; nil for the key window.
  ///
  /// Operations that name a window, a screen or a container apply there.
  public var windowID: Text?
  /// Whether the change is animated; navigation only passes this on.
  public var motion: Motion
  /// The origin of the action.
  public var origin: NavigationOrigin

  /// Makes an action; without a motion it has the operation's usual one.
  public init(
    _ operation: Operation, window: Text? = nil, motion: Motion? = nil,
    origin: NavigationOrigin = .code
  ) {
    self.motion = motion ?? operation.usualMotion
    self.operation = operation
    windowID = window
    self.origin = origin
  }

  /// An operation on a tree.
  ///
  /// “On top” refers to the action's window. A container is on top if it contains what is on top
  /// with nothing presented in between, or if it is empty and on top itself.
  public enum Operation: Equatable, Sendable {
    /// Adds a hidden window; the first one becomes the key window.
    case start(window: Text)
    /// Removes a window; if it was the key window, the last of the others becomes the key window.
    case close(window: Text)
    /// Makes a window the key window.
    case focus(window: Text)
    /// Replaces the window's root, nil hides the window; a window that gets one becomes the key
    /// window.
    case set(NavigationNode?)
    /// Shows a node over the window, presented by the screen or container `on`, nil for the top.
    case present(NavigationNode, on: Text? = nil)
    /// Dismisses what was presented last, up to `count` times.
    case dismiss(count: Int = 1)
    /// Dismisses all that is presented over a screen or container.
    case dismissTo(Text)
    /// Dismisses all that is presented in the window.
    case dismissToRoot
    /// Replaces the screens of the stack on top; screens that stay keep what they present.
    case setNavigation([Screen])
    /// Puts a screen on the stack on top.
    case push(Screen)
    /// Pops up to `count` screens off the stack on top, but never its first.
    case pop(count: Int = 1)
    /// Pops the screens above a screen of the stack on top.
    case popTo(Text)
    /// Pops all but the first screen off the stack on top.
    case popToRoot
    /// Replaces what the tabs on top hold. The selected tab stays selected if it is among the new
    /// ones; else the first is selected.
    case setTabs([NavigationNode])
    /// Adds a tab to the tabs on top; the selected one stays selected.
    case insertTab(NavigationNode, at: TabPosition = .last)
    /// Removes a tab from the tabs on top; if it was selected, the first one is.
    case removeTab(Text)
    /// Selects a tab of the tabs on top.
    case selectTab(Text)
    /// Selects the tab at a position, counted from 0, of the tabs on top.
    case selectTabAt(Int)
    /// Replaces a column of the split view on top; the selected column stays selected.
    case setColumn(SplitColumn, NavigationNode)
    /// Selects a column of the split view on top.
    case selectColumn(SplitColumn)
    /// Makes a screen the only one of the detail column of the split view on top, and selects that
    /// column; shows it where no split view is on top.
    case showDetail(Screen)
    /// Collapses a split view, so that it shows the selected column only; nil for the split view
    /// nearest the top, even if it is covered.
    case collapse(Text? = nil)
    /// Expands a split view, so that it shows both columns; nil as in ``collapse(_:)``.
    case expand(Text? = nil)
    /// Goes one step back: pops if the stack on top has more than one screen, else goes from the
    /// detail of the split view on top to its master, else dismisses.
    case back
    /// Goes back to a screen below the top, whatever lies between.
    case backTo(BackTarget)
    /// Replaces the top of the stack on top.
    case replace(Screen)
    /// Makes a screen the only one of the stack on top; a hidden window gets it as its root.
    case root(Screen)
    /// Pushes a screen, or presents it where no stack is on top; a hidden window gets it as its
    /// root.
    case show(Screen)
    /// Replaces the screen with the same id. It counts as the same screen: nothing appears,
    /// disappears or is loaded.
    case update(Screen)
  }

  /// The position of a new tab.
  public enum TabPosition: Hashable, Sendable {
    /// Before all others.
    case first
    /// Before the tab at this position, counted from 0; the number of tabs means after the last.
    case index(Int)
    /// After all others.
    case last
  }

  /// The destination of going back.
  public enum BackTarget: Equatable, Sendable {
    /// The screen with this id.
    case id(Text)
    /// The nearest screen with this URL.
    case url(Text)
    /// This screen, which replaces the one that ``Operation/back`` would show, or the top if there
    /// is nothing behind it.
    case screen(Screen)
  }

  /// Whether a change is animated.
  public enum Motion: String, Hashable, Sendable {
    /// The change is animated.
    case animated
    /// The change takes effect at once.
    case immediate
  }
}

/// Who changed the navigation.
public enum NavigationOrigin: String, Hashable, Sendable, CaseIterable {
  /// A module or the program.
  case code
  /// A person, with a gesture or at the prompt.
  case user
  /// A tool that steps through recorded states.
  case timeline
}

extension NavigationOrigin {
  /// The position among all cases.
  var index: Int {
    switch self {
    case .code: 0
    case .user: 1
    case .timeline: 2
    }
  }

  /// The raw value.
  package var text: Text {
    switch self {
    case .code: "code"
    case .user: "user"
    case .timeline: "timeline"
    }
  }

  package init?(_ text: Text) {
    switch text {
    case Self.code.text: self = .code
    case Self.user.text: self = .user
    case Self.timeline.text: self = .timeline
    default: return nil
    }
  }
}

extension NavigationAction.Operation {
  /// The operation's usual motion; replacements aren't animated.
  var usualMotion: NavigationAction.Motion {
    switch self {
    case .start, .close, .focus, .set, .setTabs, .insertTab, .removeTab, .selectTab, .selectTabAt,
      .setColumn, .selectColumn, .collapse, .expand, .replace, .root, .update:
      .immediate
    case .present, .dismiss, .dismissTo, .dismissToRoot, .setNavigation, .push, .pop, .popTo,
      .popToRoot, .showDetail, .back, .backTo, .show:
      .animated
    }
  }

  /// Checks the nesting of the values of screens that the operation brings into the tree.
  func validateContents() throws(NavigationError) {
    switch self {
    // Without a list of the screen.
    case .push(let screen), .show(let screen), .showDetail(let screen):
      try NavigationTree.validateContent(of: screen)
    default: try NavigationTree.validateContents(screens)
    }
  }

  /// The screens that the operation brings into the tree.
  package var screens: [Screen] {
    switch self {
    case .set(let node): node?.screens ?? []
    case .present(let node, _), .insertTab(let node, _), .setColumn(_, let node): node.screens
    case .setTabs(let nodes): nodes.flatMap(\.screens)
    case .setNavigation(let screens): screens
    case .push(let screen), .replace(let screen), .root(let screen), .show(let screen),
      .showDetail(let screen), .update(let screen), .backTo(.screen(let screen)):
      [screen]
    case .start, .close, .focus, .dismiss, .dismissTo, .dismissToRoot, .pop, .popTo, .popToRoot,
      .removeTab, .selectTab, .selectTabAt, .selectColumn, .collapse, .expand, .back, .backTo:
      []
    }
  }
}
