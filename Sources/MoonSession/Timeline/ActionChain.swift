package import MoonActions
package import MoonModules
package import MoonValues

/// Why an action came, what it did, and what it led to.
///
/// What it did is found by carrying it out again in the state before it, beside the session, so
/// that dispatching costs nothing more. The times are those of now.
package struct ActionChain: Sendable {
  /// The action and its result; see ``History``.
  package let entry: History.Entry
  /// The action that led to it, the one that led to that, and so on, as far as the history goes.
  package let causes: [Action]
  /// The id of the action that it is a part of, such as one that routed; nil if it is none.
  package let committedWith: Int64?
  /// The calls before the commit, in order; nil for a part, or if the state before it is no longer
  /// kept.
  package let calls: [TracedCall]?
  /// The actions that were reduced for it: the action itself, or those that middleware or a routing
  /// made of it; none if it was dropped; nil if the state before it is no longer kept.
  package let reduced: [Action]?
  /// All changes of the state; nil for a part, or if the states are no longer kept.
  package let changes: Diff?
  /// The registrations that responded after the commit, in the order of their stages.
  ///
  /// They are observers of what has changed, navigation mappers, middleware after the reduce, and
  /// effects. It is empty if the state before the action is no longer kept.
  package let responses: [ListedRegistration]
  /// The tasks that it began and that still run.
  package let tasks: [TaskInfo]
  /// The actions that it led to, of observers, effects and others, with their results.
  package let following: [History.Entry]
}
