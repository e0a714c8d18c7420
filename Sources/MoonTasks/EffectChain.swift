package import MoonActions
package import MoonModules

/// A place in a chain of effects and tasks that follow from one another.
///
/// It stops effects that answer each other's actions without end: nothing else would, since they
/// leave the host free between two turns. An effect follows from the effect that dispatched its
/// action, a task from the one that spawned it, and a task that waits for an action or a change
/// from the effect behind that action. A wait for time or for the outside is a rest, after which
/// the count begins anew. So an effect may repeat itself for ever, but not without pause.
package struct EffectChain {
  /// The maximum number of effects and tasks in a chain, as long as the actions that one action may
  /// lead to.
  static let countMax = 10_000

  /// The number of effects and tasks up to this place.
  package private(set) var depth = 1
  /// The part of the depth that only comes from having been spawned.
  private var spawnDepth = 0
  /// The greatest depth of the awaited tasks that have ended.
  private var awaitedDepth = 0

  /// The place of an effect that an action starts; `depth` is that of the action.
  package static func effect(after depth: Int) -> EffectChain { EffectChain(depth: depth + 1) }

  /// Returns the place of a task that the one in this place spawns.
  ///
  /// - Throws: ``TaskError`` if the chain is too long.
  package func ofSpawned() throws(TaskError) -> EffectChain {
    guard depth < Self.countMax else {
      throw TaskError(
        "\(Self.countMax) tasks have followed from one another without waiting for time")
    }
    return EffectChain(depth: depth + 1, spawnDepth: 1)
  }

  private init(depth: Int, spawnDepth: Int = 0) {
    self.depth = depth
    self.spawnDepth = spawnDepth
  }

  /// Makes the place of a task that follows from nothing.
  init() {}

  /// Checks the depth of the code that dispatches an action.
  ///
  /// - Throws: ``DispatchError/tooManyEffects(max:)``.
  package static func check(_ depth: Int, _ cause: Cause) throws(DispatchError) {
    guard depth <= countMax || cause == .host else { throw .tooManyEffects(max: countMax) }
  }

  package mutating func beginAwaiting() { awaitedDepth = 0 }

  /// Notes that an awaited task has ended.
  package mutating func note(_ awaited: EffectChain) {
    awaitedDepth = max(awaitedDepth, awaited.depth - awaited.spawnDepth)
  }

  /// Continues from the end of a spawned task.
  package mutating func goOn(from other: EffectChain) {
    set(max(other.depth - other.spawnDepth, 1))
  }

  /// Notes the end of a wait; `depth` is that of the action that ends it.
  package mutating func note(endOf wait: Wait?, after depth: Int) {
    switch wait {
    case .action, .change: set(depth + 1)
    case .tasks: set(max(awaitedDepth, 1))
    case let wait: if wait?.isRest ?? false { set(1) }
    }
  }

  private mutating func set(_ depth: Int) {
    guard depth != self.depth else { return }
    self.depth = depth
    spawnDepth = 0
  }
}
