import MoonValues

/// The payload of an action that takes a screen and names no window.
struct ScreenPayload {
  let screen: Screen
  let motion: NavigationAction.Motion
  let origin: NavigationOrigin
  /// The nesting of the screen's value.
  let depth: Int

  /// Reads a payload that ``value(_:_:_:)`` has made and that holds a known screen; nil for any
  /// other.
  ///
  /// `known` returns the known screen that has a value.
  init?(_ payload: Value, screen known: (Value) -> Screen?) {
    guard case .map(let map) = payload, map.count == 3,
      case .bool(let isAnimated)? = map["animated"], case .string(let name)? = map["origin"],
      let origin = NavigationOrigin(name), let shown = map["screen"], let screen = known(shown)
    else { return nil }
    (self.screen, self.origin) = (screen, origin)
    motion = isAnimated ? .animated : .immediate
    depth = shown.depth
  }

  /// Returns the payload of an action with a screen.
  static func value(
    _ screen: Screen, _ motion: NavigationAction.Motion, _ origin: NavigationOrigin
  ) -> Value {
    [
      "animated": .bool(motion == .animated), "origin": .string(origin.text),
      "screen": screen.value,
    ]
  }
}

/// The payloads of actions that have no fields of their own, which are made once.
enum BarePayload {
  private static let all:
    [(value: Value, motion: NavigationAction.Motion, origin: NavigationOrigin)] =
      [.animated, .immediate].flatMap { motion in
        NavigationOrigin.allCases.map { origin in
          (
            ["animated": .bool(motion == .animated), "origin": .string(origin.text)], motion, origin
          )
        }
      }

  static func value(_ motion: NavigationAction.Motion, _ origin: NavigationOrigin) -> Value {
    all[(motion == .animated ? 0 : NavigationOrigin.allCases.count) + origin.index].value
  }

  /// Returns what one of these payloads says; nil for any other value, even an equal one.
  static func parts(
    of value: Value
  ) -> (motion: NavigationAction.Motion, origin: NavigationOrigin)? {
    all.firstIndex { $0.value.isIdentical(to: value) }.map { (all[$0].motion, all[$0].origin) }
  }
}
