public import MoonActions
public import MoonValues

/// Code that an action starts once it is committed, and that can wait and dispatch actions.
public struct Effect: Registrable {
  /// A function that makes a run of the code for an action.
  package typealias Body = (_ action: Action, _ context: SessionContext) throws -> any EffectRun

  /// The actions that start the effect; the name of a kept one.
  package var pattern: ActionPattern
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  /// The rule for an action that comes while the effect runs for an earlier one.
  package let policy: EffectPolicy
  /// How actions in quick succession become starts; nil for one start for each action.
  ///
  /// The policy applies to the starts.
  package let pace: Pace?
  /// How the effect continues after its program was killed; nil if it doesn't.
  package let durability: Durability?
  package let body: Body
  package let paceID = PaceIdentity()

  /// Whether the effect runs as long as its module is in service.
  ///
  /// It begins with the module, and again after a reload, a resume and a restore. No action starts
  /// it.
  package let isKept: Bool

  /// Whether what the effect returns belongs to its action: whoever waits for the action also waits
  /// for it.
  package let hasResult: Bool

  /// Whether the effect continues after its program was killed.
  package var isDurable: Bool { durability != nil }

  /// Whether the scheduler must remember the effect's tasks.
  package var isRuled: Bool { policy != .every || pace != nil }

  /// Makes an effect whose code is in any language.
  package init(
    _ pattern: ActionPattern, kind: RegistrationKind = .effect, policy: EffectPolicy = .every,
    pace: Pace? = nil, durability: Durability? = nil, isKept: Bool = false,
    hasResult: Bool = false, place: SourcePlace? = nil, runs body: @escaping Body
  ) {
    self.pattern = pattern
    self.hasResult = hasResult
    // A kept effect runs once at a time.
    self.policy = isKept ? .first : policy
    self.pace = pace
    self.durability = durability
    self.isKept = isKept
    registration = Registration(kind, pattern.description, place: place)
    self.body = body
  }

  /// Makes the effect that stands for another registration, whose code runs as a task.
  package init(for registration: Registration) {
    pattern = .all
    policy = .every
    pace = nil
    durability = nil
    isKept = false
    hasResult = false
    self.registration = registration
    body = { _, _ in throw CodeFailure(.notRunning) }
  }

  /// Makes an effect from a Swift function.
  ///
  /// The function runs outside the host and doesn't block it. Cancelling its task cancels the
  /// function as usual in Swift; after that, all members of the context throw `CancellationError`.
  /// Any other error that the function throws is a fault of the module. With `isKept`, the effect
  /// runs as long as its module is in service, and its pattern, one exact type, is its name.
  public init(
    _ pattern: ActionPattern, policy: EffectPolicy = .every, pace: Pace? = nil,
    isKept: Bool = false, place: SourcePlace? = nil,
    _ body: @escaping @Sendable (_ action: Action, _ context: EffectContext) async throws -> Void
  ) {
    self.init(pattern, policy: policy, pace: pace, isKept: isKept, place: place) {
      action, context in
      SwiftRun { context in
        try await body(action, context)
        return nil
      }
    }
  }
}

extension Effect: TypedListener {}
