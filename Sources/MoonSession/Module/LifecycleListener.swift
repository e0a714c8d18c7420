public import MoonNavigation
import MoonStore
public import MoonValues

/// A function that is told of one stage in the life of its module's screens.
public struct LifecycleListener: Registrable {
  /// Gets the event.
  public typealias Body = (_ event: ScreenEvent, _ context: SessionContext) throws -> Void

  /// The stage.
  public let stage: ScreenStage
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes a listener.
  public init(_ stage: ScreenStage, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.stage = stage
    registration = Registration(.lifecycle, stage.rawValue, place: place)
    self.body = body
  }
}

/// What happens to a screen in its life.
public enum ScreenStage: String, Sendable, Hashable, CaseIterable {
  /// It is about to be shown for the first time.
  case load
  /// It is ready to be shown.
  case didLoad = "did_load"
  /// A routing is about to show it.
  case willRoute = "will_route"
  /// It is about to be on top of its window.
  case willAppear = "will_appear"
  /// It is on top of its window.
  case didAppear = "did_appear"
  /// The routing that has shown it is done.
  case didRoute = "did_route"
  /// It is about to be covered or removed.
  case willDisappear = "will_disappear"
  /// It is covered or removed.
  case didDisappear = "did_disappear"
}

extension ScreenStage {
  /// The stage that navigation reports.
  init(_ stage: LifecycleStage) {
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
  /// What happened.
  public let stage: ScreenStage
  /// The screen; one that goes away as it was before.
  public let screen: Screen
  /// The window it is or was in; nil before it is in one.
  public let windowID: Text?
  /// Whether people see it move.
  public let isAnimated: Bool

  /// The event as scripts see it: `{stage, window, animated}`.
  public var value: Value {
    var map: Map = ["stage": .string(Text(stage.rawValue)), "animated": .bool(isAnimated)]
    map["window"] = windowID.map { .string($0) }
    return .map(map)
  }
}
