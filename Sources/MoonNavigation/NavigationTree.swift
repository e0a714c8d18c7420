public import MoonValues

/// Where an app is: windows, each with stacks, tabs, screens and what they present.
///
/// A value, kept in the state as the slice `navigation`. What is presented covers its whole window,
/// so each window shows exactly one screen or one empty container: its top. Every tree that this
/// target hands out is valid: ids are unique, containers hold what they may, selected indices are
/// in range, no limit is exceeded, the key window exists, and shown screens are loaded.
public struct NavigationTree: Equatable, Sendable {
  /// How many windows there may be: more than a person keeps apart.
  public static let windowCountMax = 16
  /// How many tabs one container may have: more than any bar shows.
  public static let tabCountMax = 64
  /// How many screens and containers there may be in all.
  ///
  /// Stops a module that navigates for ever long before the state gets slow.
  public static let nodeCountMax = 1000
  /// How many lists and maps the tree's value may nest around a screen's own values.
  ///
  /// Leaves room within ``Value/depthMax`` for the state around the slice and for what screens
  /// hold. A presented screen costs one level, a stack two, tabs two more.
  public static let depthMax = 38
  /// How many lists and maps a screen's parameters, props or body may nest.
  ///
  /// Room for a dozen containers of elements in one another.
  public static let contentDepthMax = 24

  /// What all screens may count together, see `Value.storageCost`: as much as a module's slice
  /// usually may.
  public static let storageCostMax = 64 << 20

  /// The windows, in the order in which they were started.
  public internal(set) var windows: [NavigationWindow] = []
  /// The window that actions without one mean; nil only when there is no window.
  public internal(set) var keyWindowID: Text?
  /// The screens that were shown since they came into the tree.
  ///
  /// - Complexity: O(n).
  public var loadedIDs: Set<Text> { Set(loaded.ids) }

  var loaded = IDList()

  /// Makes a tree without windows.
  public init() {}

  /// Makes a tree of windows, with the first as the key window unless another is named.
  ///
  /// What is shown counts as loaded.
  ///
  /// - Throws: ``NavigationError`` that says what makes it no tree.
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

  /// The screen or empty container on top of a window: what is presented most deeply, in it the
  /// selected tab, in it the last of the stack, and so on.
  public func topNode(ofWindow id: Text) -> NavigationNode? {
    guard let index = windows.firstIndex(where: { $0.id == id }) else { return nil }
    return TopPath(tree: self, window: index)?.top
  }

  /// The screens that people see, one for each window that shows one, in the windows' order.
  public var visibleScreens: [Screen] {
    windows.indices.compactMap { TopPath(tree: self, window: $0)?.top.screen }
  }

  /// All screens: a container's in their order, then what is presented.
  ///
  /// - Complexity: O(screens and containers), as all that finds by id.
  public var screens: [Screen] { windows.flatMap { $0.root?.screens ?? [] } }

  /// Hands out all screens and containers in the order of ``screens``, each before what is below.
  public func forEachNode(_ body: (NavigationNode) -> Void) {
    for window in windows { window.root?.forEach(body) }
  }

  /// The screen with that id, nil if there is none.
  public func screen(_ id: Text) -> Screen? { node(id)?.screen }

  /// The screen or container with that id and all below it, nil if there is none.
  public func node(_ id: Text) -> NavigationNode? { place(of: id).flatMap { node(at: $0) } }

  /// Where the value of a screen or container stands in ``value``, such as
  /// `windows[1].root.stack[2]`; nil if there is none with that id.
  public func path(to id: Text) -> Path? { place(of: id).flatMap { path(to: $0) } }

  /// The id of the window that a screen or container is in, nil if there is none with that id.
  public func windowID(of id: Text) -> Text? { place(of: id).map { windows[$0.window].id } }
}
