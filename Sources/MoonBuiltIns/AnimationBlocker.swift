import Moonwire

extension BuiltIn {
  /// `animation_blocker`: while it is enabled, navigation isn't animated.
  ///
  /// Its actions are `enable` and `disable`. It sets `animated = false` in the payload of each
  /// `nav/…` action, including those that a routing or a presenter makes.
  public static let animationBlocker = BuiltIn(
    "animation_blocker", "Takes the animation from all navigation while it is enabled"
  ) { module, _ in
    module.state = ["enabled": false]
    module.actions = [
      ActionDeclaration("enable", description: "Takes the animation from all navigation"),
      ActionDeclaration("disable", description: "Leaves animations as they are"),
    ]
    module.reducers = [
      Reducer(.exact("animation_blocker/enable")) { state, _ in state = ["enabled": true] },
      Reducer(.exact("animation_blocker/disable")) { state, _ in state = ["enabled": false] },
    ]
    module.middleware = [
      Middleware(.family(prefix: "nav/"), priority: .high) { action, _, context in
        guard context.slice["enabled"] == true, !action.type.hasPrefix("nav/did_"),
          case .map(var payload) = action.scriptPayload, payload["animated"] != false
        else { return .pass }
        payload["animated"] = false
        return .replace([Action(action.type, .map(payload))])
      }
    ]
  }
}
