public import MoonValues

/// The navigation of an app: windows with stacks, tabs and screens, and the screens that these
/// present.
///
/// A tree is a value, kept in the state as the slice `navigation`. A presented screen covers its
/// whole window, so each window has exactly one screen or one empty container on top; a split view
/// that isn't collapsed shows another screen beside it. Every
/// tree made by this target is valid: ids are unique, containers hold only what they can, selected
/// indices are in range, no limit is exceeded, the key window exists, and shown screens are loaded.
public struct NavigationTree: Equatable, Sendable {
  /// The maximum number of windows, more than a person can keep track of.
  package static let windowCountMax = 16
  /// The maximum number of tabs in a container, more than any tab bar shows.
  package static let tabCountMax = 64
  /// The maximum number of screens and containers in the tree.
  ///
  /// It stops a module that navigates endlessly before the state becomes slow.
  package static let nodeCountMax = 1000
  /// The maximum nesting of lists and maps in the tree's value around a screen's own values.
  ///
  /// It leaves room within ``Value/depthMax`` for the state around the slice and for the contents
  /// of screens. A presented screen takes one level, each container around it two.
  package static let depthMax = 38
  /// The maximum nesting of lists and maps in a screen's parameters, props or body.
  ///
  /// A dozen nested containers of elements fit.
  package static let contentDepthMax = 24

  /// The maximum size of the tree (see `Value.storageCost`), equal to the usual quota of a module's
  /// slice.
  package static let storageCostMax = 64 << 20
  /// The maximum number of bytes of the kind or id of a screen, and of other ids.
  package static let nameBytesMax = 1_024

  // An object, since a navigation copies its tree dozens of times. Sendable: the fields are written
  // only through a sole reference, so those of shared storage never change.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    @usableFromInline var windows: [NavigationWindow]
    @usableFromInline var keyWindowID: Text?
    var loaded: IDList
    var ids: TreeIDs
    /// The step that led here; nil if another change did.
    let step: StepParts?
    fileprivate let kept = KeptMap()

    init(
      windows: [NavigationWindow] = [], keyWindowID: Text? = nil, loaded: IDList = IDList(),
      ids: TreeIDs = TreeIDs(), step: StepParts? = nil
    ) {
      self.windows = windows
      self.keyWindowID = keyWindowID
      self.loaded = loaded
      self.ids = ids
      self.step = step
    }
  }

  private static let empty = NavigationTree(Storage())

  @usableFromInline var storage: Storage

  /// The windows, in the order in which they were started.
  public internal(set) var windows: [NavigationWindow] {
    @inlinable _read { yield storage.windows }
    _modify {
      makeUnique()
      yield &storage.windows
    }
  }
  /// The window for actions that name none; nil only if there is no window.
  public internal(set) var keyWindowID: Text? {
    @inlinable _read { yield storage.keyWindowID }
    _modify {
      makeUnique()
      yield &storage.keyWindowID
    }
  }
  /// The screens that have been shown since they were added to the tree.
  ///
  /// - Complexity: O(n).
  package var loadedIDs: Set<Text> { Set(loaded.ids) }

  var loaded: IDList {
    _read { yield storage.loaded }
    _modify {
      makeUnique()
      yield &storage.loaded
    }
  }
  /// The ids of all windows, screens and containers.
  ///
  /// Up to date in every tree but one that is being edited.
  var ids: TreeIDs {
    _read { yield storage.ids }
    _modify {
      makeUnique()
      yield &storage.ids
    }
  }

  /// Makes a tree without windows.
  package init() { self = Self.empty }

  private init(_ storage: Storage) { self.storage = storage }

  /// Makes a valid tree of its parts.
  init(
    windows: [NavigationWindow], keyWindowID: Text?, loaded: IDList, ids: TreeIDs,
    step: StepParts? = nil
  ) {
    storage = Storage(
      windows: windows, keyWindowID: keyWindowID, loaded: loaded, ids: ids, step: step)
  }

  /// The step that led to the tree; nil if another change did.
  var step: StepParts? { storage.step }

  /// The tree to which a step back leads; nil if it isn't kept.
  var former: NavigationTree? { storage.step?.former }

  /// The window of the step that led to the tree.
  var stepWindowID: Text? { storage.step?.windowID }

  /// Whether it is known to have one screen more than the other.
  private func isStep(from other: NavigationTree) -> Bool {
    storage.step?.former?.isIdentical(to: other) ?? false
  }

  private mutating func makeUnique() {
    // A value that was made, and the step that led here, stay those of their storage.
    guard
      !isKnownUniquelyReferenced(&storage) || storage.step != nil || storage.kept.isKept
    else { return }
    storage = Storage(
      windows: storage.windows, keyWindowID: storage.keyWindowID, loaded: storage.loaded,
      ids: storage.ids)
  }

  /// Makes a tree of windows; the first is the key window unless another is named.
  ///
  /// Shown screens count as loaded.
  ///
  /// - Throws: ``NavigationError`` if the tree is invalid.
  package init(windows: [NavigationWindow], keyWindowID: Text? = nil) throws(NavigationError) {
    self.init()
    self.windows = windows
    self.keyWindowID = keyWindowID ?? windows.first?.id
    try validate()
    try NavigationTree.validateContents(screens)
    ids = TreeIDs(of: windows)
    loaded = IDList(visibleScreens.map(\.id))
  }

  /// Whether both share their storage, which makes them equal.
  package func isIdentical(to other: NavigationTree) -> Bool { storage === other.storage }

  /// The tree in the form of the state: `{windows, key, loaded}`.
  ///
  /// A window is `{id, root}`; a stack `{id, stack, presented}`; tabs `{id, tabs, selected,
  /// presented}` with `selected` counted from 1; a split view `{id, master, detail, selected,
  /// collapsed, presented}` with `selected` as `"master"` or `"detail"`; a screen `{id, kind,
  /// title, url, params, props, body, presentation, module, generation, placeholder,
  /// presented}`. Absent fields aren't written.
  ///
  /// It is made once for all copies.
  ///
  /// - Complexity: O(windows) and the loaded screens; nodes keep their values.
  public var value: Value { .map(storage.kept.map ?? storage.kept.keep(written)) }

  /// Compares windows, the key window and the loaded screens; shared parts cost nothing.
  public static func == (left: NavigationTree, right: NavigationTree) -> Bool {
    if left.isIdentical(to: right) { return true }
    if left.isStep(from: right) || right.isStep(from: left) { return false }
    return left.windows == right.windows && left.keyWindowID == right.keyWindowID
      && left.loaded == right.loaded
  }

  /// The screen on top of the key window; nil if there is none.
  package var topScreen: Screen? { keyWindowID.flatMap { topScreen(ofWindow: $0) } }

  /// Returns the screen on top of a window; nil if the window or the screen doesn't exist.
  package func topScreen(ofWindow id: Text) -> Screen? { topNode(ofWindow: id)?.screen }

  /// Returns the screen or empty container on top of a window.
  ///
  /// The search follows presented screens, the selected tab or column and the last screen of the
  /// stack.
  package func topNode(ofWindow id: Text) -> NavigationNode? {
    windows.first { $0.id == id }?.root?.top
  }

  /// Returns the containers that hold the top of a window, the outermost first, without those over
  /// which something is presented.
  package func containersOnTop(ofWindow id: Text) -> [NavigationNode] {
    guard let index = windows.firstIndex(where: { $0.id == id }) else { return [] }
    return TopPath(tree: self, window: index)?.topLayer.map(\.node).filter { !$0.isScreen } ?? []
  }

  /// The visible screens: in the order of the windows, the one on top and the one that a split view
  /// shows beside it.
  public var visibleScreens: [Screen] { windows.flatMap { $0.root?.shownScreens ?? [] } }

  /// The ids of ``visibleScreens``.
  var visibleIDs: [Text] { visibleScreens.map(\.id) }

  /// All screens: a container's in their order, then the presented ones.
  ///
  /// - Complexity: O(screens and containers), like every search by id.
  public var screens: [Screen] { windows.flatMap { $0.root?.screens ?? [] } }

  /// Returns whether a window, screen or container has an id.
  ///
  /// - Complexity: O(log n).
  package func contains(_ id: Text) -> Bool { ids.contains(id) }

  /// The highest number of an id such as `word-12`; nil if there is no such id.
  ///
  /// - Complexity: O(log n).
  package func highestNumber(after word: Text) -> Int? { ids.highestNumber(after: word) }

  /// Returns the screen with an id; nil if there is none.
  public func screen(_ id: Text) -> Screen? { node(id)?.screen }

  /// Returns the screen or container with an id, with its contents; nil if there is none.
  package func node(_ id: Text) -> NavigationNode? { nodeAndWindow(id)?.node }

  /// Returns the screen with an id, and the id of its window; nil if there is none.
  package func screenAndWindow(_ id: Text) -> (screen: Screen, windowID: Text)? {
    guard let (node, window) = nodeAndWindow(id), let screen = node.screen else { return nil }
    return (screen, window)
  }

  /// Returns the path of a screen or container in ``value``, such as `windows[1].root.stack[2]`;
  /// nil if none has the id.
  package func path(to id: Text) -> Path? { place(of: id).flatMap { path(to: $0) } }

  /// All screens by id, each with the id of its window.
  ///
  /// - Complexity: O(screens and containers), as for one search by id.
  package var screensByID: [Text: (screen: Screen, windowID: Text)] {
    var found: [Text: (screen: Screen, windowID: Text)] = [:]
    for window in windows {
      window.root?.forEach { node in
        if let screen = node.screen { found[screen.id] = (screen, window.id) }
      }
    }
    return found
  }

  /// Returns the id of the window that a screen or container is in; nil if none has the id.
  package func windowID(of id: Text) -> Text? { nodeAndWindow(id)?.windowID }
}
