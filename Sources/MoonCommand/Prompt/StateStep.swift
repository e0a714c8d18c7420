import Moonwire

/// The state before and after something that somebody did.
struct StateStep: Sendable {
  let before: Value
  let after: Value

  init(from before: Value, to after: Value) {
    self.before = before
    self.after = after
  }

  init(_ outcome: Outcome) {
    self.init(from: outcome.before, to: outcome.after)
  }

  /// All that changed.
  var changes: Diff { Diff.changes(from: before, to: after) }

  /// What changed but for the navigation, whose slice means little to people.
  var changesElsewhere: Diff {
    Diff.changes(from: Self.withoutNavigation(before), to: Self.withoutNavigation(after))
  }

  /// Where the app is now; nil if that hasn't changed.
  var newNavigation: NavigationTree? {
    guard before.mapValue?[Self.navigation] != after.mapValue?[Self.navigation] else { return nil }
    return Self.tree(after)
  }

  /// Whether another screen is on top, or the one that was there was made anew.
  var hasNewTop: Bool {
    guard let tree = newNavigation else { return false }
    return Self.tree(before)?.topScreen != tree.topScreen
  }

  private static let navigation: Key = "navigation"

  private static func tree(_ state: Value) -> NavigationTree? {
    state.mapValue?[navigation].flatMap { try? NavigationTree($0) }
  }

  private static func withoutNavigation(_ state: Value) -> Value {
    guard case .map(var map) = state else { return state }
    map[navigation] = nil
    return .map(map)
  }
}

/// A screen as it is shown, and where the app is.
struct ScreenSight: Sendable {
  let shown: ShownScreen
  let tree: NavigationTree
}
