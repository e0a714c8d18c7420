import Moonwire

/// A shown screen, with the navigation at that time.
struct ScreenSnapshot: Sendable {
  let shown: ShownScreen
  let tree: NavigationTree
}
