package import Moonwire

/// The state before and after a line.
package struct StateStep: Sendable {
  let before: Value
  let after: Value
  /// The navigation before and after; nil if it is unchanged.
  private let navigation: (before: NavigationTree?, after: NavigationTree)?

  package init(from before: Value, to after: Value) {
    self.before = before
    self.after = after
    let old = before.mapValue?[Self.navigation]
    let new = after.mapValue?[Self.navigation]
    navigation =
      old == new ? nil : Self.tree(new).map { (before: Self.tree(old), after: $0) }
  }

  package init(_ outcome: Outcome) {
    before = outcome.before
    after = outcome.after
    navigation = outcome.navigation.map { (before: $0.before, after: $0.after) }
  }

  /// All changes.
  var changes: Diff { Diff.changes(from: before, to: after) }

  /// The changes outside the navigation's slice, which means little to people.
  var changesElsewhere: Diff {
    Diff.changes(from: Self.withoutNavigation(before), to: Self.withoutNavigation(after))
  }

  /// The navigation after the line; nil if it is unchanged.
  var newNavigation: NavigationTree? { navigation?.after }

  /// The windows whose content has changed, the key window last; only the key window if there are
  /// none.
  var movedWindowIDs: [Text?] {
    guard let navigation else { return [] }
    let after = navigation.after
    let moved = after.windows.filter { window in
      navigation.before?.windows.first { $0.id == window.id } != window
    }.map(\.id)
    let others = moved.filter { $0 != after.keyWindowID }
    let isKeyMoved =
      others.count < moved.count || navigation.before?.keyWindowID != after.keyWindowID
    return isKeyMoved || others.isEmpty ? others + [after.keyWindowID] : others
  }

  /// Whether another screen is on top, or the same one was remade.
  var hasNewTop: Bool {
    navigation.map { $0.before?.topScreen != $0.after.topScreen } ?? false
  }

  /// Whether the screen on top is the same one, with other contents.
  var hasRemadeTop: Bool {
    hasNewTop && navigation.map { $0.before?.topScreen?.id == $0.after.topScreen?.id } ?? false
  }

  /// Whether the last screen has gone, and none is on top now.
  var hasLostTop: Bool {
    navigation.map { $0.before?.topScreen != nil && $0.after.topScreen == nil } ?? false
  }

  private static let navigation: Key = "navigation"

  private static func tree(_ slice: Value?) -> NavigationTree? {
    slice.flatMap { try? NavigationTree($0) }
  }

  private static func withoutNavigation(_ state: Value) -> Value {
    guard case .map(var map) = state else { return state }
    map[navigation] = nil
    return .map(map)
  }
}
