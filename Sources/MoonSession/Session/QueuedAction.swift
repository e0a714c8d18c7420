import MoonStore

/// The actions that wait in a session.
typealias SessionQueue = ActionQueue<ModuleName, QueuedAction>

/// An action that waits, with what is known of it.
struct QueuedAction {
  let action: Action
  /// Those that are carried out with it, as one.
  let others: [Action]
  /// Whether module mappers have made it, which aren't asked again.
  let isMapped: Bool
  /// The navigation that it followed from; nil for none.
  let link: NavigationChain.Link?
  /// The registration that dispatched it; nil for nobody's.
  let dispatcher: BoundRegistration?
}
