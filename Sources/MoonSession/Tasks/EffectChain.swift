import MoonStore

/// The count of effects and tasks that follow from one another.
///
/// It stops effects that answer each other's actions without end: nothing else would, since they
/// leave the host free between two turns. An effect follows from the effect that dispatched its
/// action, a task from the one that spawned it, and a task that waits for an action or a change
/// from the effect behind that action. A wait for time or for the outside is a rest, after which
/// the count begins anew. So an effect may repeat itself for ever, but not without pause.
enum EffectChain {
  /// The maximum number of effects and tasks in a chain, as long as the actions that one action may
  /// lead to.
  static let countMax = 10_000

  /// Checks the depth of the code that dispatches an action.
  ///
  /// - Throws: ``DispatchError/tooManyEffects(max:)``.
  @inline(__always)
  static func check(_ depth: Int, _ cause: Cause) throws(DispatchError) {
    guard depth <= countMax || cause == .host else { throw .tooManyEffects(max: countMax) }
  }
}
