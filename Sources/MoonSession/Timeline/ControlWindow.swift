import DequeModule
import MoonActions
package import MoonModules
import MoonNavigation
package import MoonValues

/// The window of the timeline's control, over the state that is shown.
final class ControlWindow {
  /// The id of the window.
  static let id: Text = "timeline"

  let screen: Screen
  /// The slices that were shown last, with the window.
  private(set) var slices = Map()

  init(_ screen: Screen) { self.screen = screen }

  /// Returns the slices of the shown state, with the window.
  ///
  /// They have none if there is no room for a window. `tree` is their navigation, at a key.
  func cover(_ timeline: Timeline, _ tree: NavigationTree, at key: Key) -> Map {
    slices = timeline.slices
    var screen = screen
    screen.props = timeline.summary
    do throws(NavigationError) {
      let started = try tree.applying(NavigationAction(.start(window: Self.id))).tree
      let covered = try started.applying(
        NavigationAction(.set(NavigationNode(screen)), window: Self.id)
      ).tree
      slices[key] = covered.value
    } catch {
      // The app has as many windows as it may, or a window of its own with the id. The controls
      // work without it.
    }
    return slices
  }

  /// Returns slices that were changed since, without the window.
  func uncovered(_ changed: Map, in timeline: Timeline, at key: Key) -> Map {
    var changed = changed
    changed[key] = timeline.slices[key]
    return changed
  }
}

extension Timeline {
  /// The place and the step before it as data: `{position, count, action = {id, type, payload},
  /// skipped}`; `action` and `skipped` are missing at the beginning.
  package var summary: Value {
    var map: Map = ["position": .int(Int64(position)), "count": .int(Int64(count))]
    if position > 0 {
      let step = kept[position - 1]
      var action: Map = ["id": .int(step.id), "type": .string(step.action.type)]
      if step.action.payload != .null { action["payload"] = step.action.scriptPayload }
      map["action"] = .map(action)
      map["skipped"] = .bool(step.isSkipped)
    }
    return .map(map)
  }
}
