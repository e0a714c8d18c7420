public import MoonValues

/// The navigation of an app: windows with stacks, tabs, screens and what they present.
///
/// A value, kept in the state as the slice `navigation`. What is presented covers its whole window,
/// so each window shows exactly one screen or one empty container: its top. Every tree made by this
/// target is valid: ids are unique, containers hold what they may, selected indices are in range,
/// no limit is exceeded, the key window exists, and shown screens are loaded.
public struct NavigationTree: Equatable, Sendable {
  /// The maximum number of windows, more than a person can keep track of.
  public static let windowCountMax = 16
  /// The maximum number of tabs in a container, more than any tab bar shows.
  public static let tabCountMax = 64
  /// The maximum number of screens and containers in the tree.
  ///
  /// It stops a module that navigates for ever before the state becomes slow.
  public static let nodeCountMax = 1000
  /// The maximum nesting of lists and maps in the tree's value around a screen's own values.
  ///
  /// Leaves room within ``Value/depthMax`` for the state around the slice and for what screens
  /// hold. A presented screen costs one level, a stack two, tabs two more.
  public static let depthMax = 38
  /// The maximum nesting of lists and maps in a screen's parameters, props or body.
  ///
  /// A dozen nested containers of elements fit.
  public static let contentDepthMax = 24

  /// What all screens may count together, see `Value.storageCost`: as much as a module's slice
  /// usually may.
  public static let storageCostMax = 64 << 20

  /// The windows, in the order in which they were started.
  public internal(set) var windows: [NavigationWindow] = []
  /// The window of actions that name none; nil only if there is no window.
  public internal(set) var keyWindowID: Text?
  /// The screens that have been shown since they were added to the tree.
  ///
  /// - Complexity: O(n).
  public var loadedIDs: Set<Text> { Set(loaded.ids) }

  var loaded = IDList()

  /// Makes a tree without windows.
  public init() {}

  /// Makes a tree of windows, with the first as the key window unless another is named.
  ///
  /// Shown screens count as loaded.
  ///
  /// - Throws: ``NavigationError`` with the reason why the tree is invalid.
  public init(windows: [NavigationWindow], keyWindowID: Text? = nil) throws(NavigationError) {
    self.windows = windows
    self.keyWindowID = keyWindowID ?? windows.first?.id
    try validate()
    try NavigationTree.validateContents(screens)
    loaded = IDList(visibleScreens.map(\.id))
  }

  /// The screen on top of the key window, nil if there is none.
  public var topScreen: Screen? { keyWindowID.flatMap { topScreen(ofWindow: $0) } }

  /// The screen on top of a window, nil if the window or the screen isn't there.
  public func topScreen(ofWindow id: Text) -> Screen? { topNode(ofWindow: id)?.screen }

  /// The screen or empty container on top of a window, found by following what is presented, the
  /// selected tab and the last screen of the stack.
  public func topNode(ofWindow id: Text) -> NavigationNode? {
    guard let index = windows.firstIndex(where: { $0.id == id }) else { return nil }
    return TopPath(tree: self, window: index)?.top
  }

  /// The visible screens, one for each window that shows one, in the order of the windows.
  public var visibleScreens: [Screen] {
    windows.indices.compactMap { TopPath(tree: self, window: $0)?.top.screen }
  }

  /// All screens: a container's in their order, then what is presented.
  ///
  /// - Complexity: O(screens and containers), like every search by id.
  public var screens: [Screen] { windows.flatMap { $0.root?.screens ?? [] } }

  /// Visits all screens and containers in the order of ``screens``, each before its descendants.
  public func forEachNode(_ body: (NavigationNode) -> Void) {
    for window in windows { window.root?.forEach(body) }
  }

  /// The screen with that id, nil if there is none.
  public func screen(_ id: Text) -> Screen? { node(id)?.screen }

  /// The screen or container with that id and all below it, nil if there is none.
  public func node(_ id: Text) -> NavigationNode? { place(of: id).flatMap { node(at: $0) } }

  /// The path of a screen or container in ``value``, such as `windows[1].root.stack[2]`; nil if
  /// there is none with that id.
  public func path(to id: Text) -> Path? { place(of: id).flatMap { path(to: $0) } }

  /// All screens by id, each with the id of its window.
  ///
  /// - Complexity: O(screens and containers), as for one search by id.
  public var screensByID: [Text: (screen: Screen, windowID: Text)] {
    var found: [Text: (screen: Screen, windowID: Text)] = [:]
    for window in windows {
      window.root?.forEach { node in
        if let screen = node.screen { found[screen.id] = (screen, window.id) }
      }
    }
    return found
  }

  /// The id of the window that a screen or container is in, nil if there is none with that id.
  public func windowID(of id: Text) -> Text? { place(of: id).map { windows[$0.window].id } }
}
