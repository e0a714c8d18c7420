import MoonActions
public import MoonNavigation
public import MoonValues

/// A function that is called at one stage in the life of screens.
public struct LifecycleListener: Registrable {
  /// A function that receives the event.
  public typealias Body = (_ event: ScreenEvent, _ context: SessionContext) throws -> Void

  /// The stage.
  public let stage: ScreenStage
  /// The screens; nil means all of the listener's module.
  package let screens: ScreenPattern?
  /// The priority: listeners of higher priority come first, and 0 is the default.
  package let priority: Int
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes a listener.
  public init(
    _ stage: ScreenStage, of screens: ScreenPattern? = nil, priority: Int = 0,
    place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.stage = stage
    self.screens = screens
    self.priority = priority
    let name = screens.map { "\(stage.rawValue) of \($0)" } ?? stage.rawValue
    registration = Registration(.lifecycle, name, place: place)
    self.body = body
  }
}

/// A stage in the life of a screen.
public enum ScreenStage: String, Sendable, Hashable, CaseIterable {
  /// The screen will be shown for the first time.
  case load
  /// The screen is ready to be shown.
  case didLoad = "did_load"
  /// A routing will show the screen.
  case willRoute = "will_route"
  /// The screen will be on top of its window.
  case willAppear = "will_appear"
  /// The screen is on top of its window.
  case didAppear = "did_appear"
  /// The routing that showed the screen is complete.
  case didRoute = "did_route"
  /// The screen will be covered or removed.
  case willDisappear = "will_disappear"
  /// The screen is covered or removed.
  case didDisappear = "did_disappear"
}

extension ScreenStage {
  /// Its position among all cases.
  package var index: Int {
    switch self {
    case .load: 0
    case .didLoad: 1
    case .willRoute: 2
    case .willAppear: 3
    case .didAppear: 4
    case .didRoute: 5
    case .willDisappear: 6
    case .didDisappear: 7
    }
  }

  /// Converts the stage that the navigation reports.
  package init(_ stage: LifecycleStage) {
    switch stage {
    case .load: self = .load
    case .didLoad: self = .didLoad
    case .willAppear: self = .willAppear
    case .didAppear: self = .didAppear
    case .willDisappear: self = .willDisappear
    case .didDisappear: self = .didDisappear
    }
  }
}

/// One event in the life of a screen.
public struct ScreenEvent: Sendable, Equatable {
  /// The stage that the screen has reached.
  public let stage: ScreenStage
  /// The screen; if it was removed, as it was before.
  public let screen: Screen
  /// The id of the screen's window; nil before the screen is in one.
  public let windowID: Text?
  /// Whether the change is animated.
  public let isAnimated: Bool

  /// Makes an event of a screen.
  package init(stage: ScreenStage, screen: Screen, windowID: Text?, isAnimated: Bool) {
    self.stage = stage
    self.screen = screen
    self.windowID = windowID
    self.isAnimated = isAnimated
  }

  /// The event as scripts see it: `{stage, window, animated}`.
  package var value: Value {
    let (animated, stage) = (Value.bool(isAnimated), Value.string(Text(stage.rawValue)))
    guard let windowID else { return ["animated": animated, "stage": stage] }
    return ["animated": animated, "stage": stage, "window": .string(windowID)]
  }
}
