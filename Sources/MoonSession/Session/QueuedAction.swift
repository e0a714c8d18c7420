import MoonActions
import MoonModules
import MoonServiceKit

/// The queue of a session.
typealias SessionQueue = ActionQueue<ModuleName, QueuedAction>

/// A queued action and its origin.
struct QueuedAction {
  let action: Action
  /// The actions that are carried out as one with it.
  let others: [Action]
  /// Whether a module mapper made the action; mappers don't see such actions again.
  let isMapped: Bool
  /// The navigation that the action followed from; nil if there was none.
  let link: NavigationChain.Link?
  /// The number of effects that it followed from; see ``EffectChain``.
  let effectDepth: Int
  /// The modules that have made it what it is, besides the one that dispatched it.
  let hands: Set<ModuleName>
  /// The registration that dispatched the action; nil if none did.
  let dispatcher: BoundRegistration?
  /// The wait of a task for the outcome; nil if none waits.
  let receipt: DispatchReceipt?
  /// What holds the actions for the module that dispatched them; nil if they are small.
  let held: HeldMemory.Share?
  /// The span of what it follows from; nil if nothing measures that.
  let span: OpenSpan?
}
