public import MoonStore
public import MoonValues

/// Code that an action starts once it is committed, and that can wait and dispatch actions.
public struct Effect: Registrable {
  /// A function that makes a run of the code for an action.
  package typealias Body = (_ action: Action, _ context: SessionContext) throws -> any EffectRun

  /// The actions that start the effect.
  public let pattern: ActionPattern
  /// The kind, name and place of the registration.
  public let registration: Registration
  /// The rule for an action that comes while the effect runs for an earlier one.
  public let policy: EffectPolicy
  /// The rule for actions in quick succession; nil if each takes effect immediately.
  public let timing: EffectTiming?
  package let body: Body
  /// The identity of the effect, which its copies share.
  let identity = Identity()

  /// An object that stands for an effect.
  final class Identity {}

  /// Whether the scheduler must remember the effect's tasks.
  var isRuled: Bool { policy != .every || timing != nil }

  /// Makes an effect whose code is in any language.
  package init(
    _ pattern: ActionPattern, policy: EffectPolicy = .every, timing: EffectTiming? = nil,
    place: SourcePlace? = nil, runs body: @escaping Body
  ) {
    self.pattern = pattern
    self.policy = policy
    self.timing = timing
    registration = Registration(.effect, pattern.description, place: place)
    self.body = body
  }

  /// Makes the effect that stands for a timer or a schedule, which no action starts.
  init(timer registration: Registration) {
    pattern = .all
    policy = .every
    timing = nil
    self.registration = registration
    body = { _, _ in throw Refused("a timer has no code") }
  }

  /// Makes an effect from a Swift function.
  ///
  /// The function runs outside the host and doesn't block it. Cancelling its task cancels the
  /// function as usual in Swift; after that, all members of the context throw `CancellationError`.
  /// Any other error that the function throws is a fault of the module.
  public init(
    _ pattern: ActionPattern, policy: EffectPolicy = .every, timing: EffectTiming? = nil,
    place: SourcePlace? = nil,
    _ body: @escaping @Sendable (_ action: Action, _ context: EffectContext) async throws -> Void
  ) {
    self.init(pattern, policy: policy, timing: timing, place: place) { action, context in
      SwiftRun { try await body(action, $0) }
    }
  }
}
