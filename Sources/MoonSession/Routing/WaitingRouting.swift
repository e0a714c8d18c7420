public import MoonStore
public import MoonValues

/// A routing that waits for the answer of a guard.
public struct WaitingRouting: Sendable {
  /// The URL that the guard was asked about.
  public let url: Text
  /// The guard's task.
  public let task: TaskID
  /// The guard's module.
  public let module: ModuleName
  /// The place of the guard; nil for Swift.
  public let place: SourcePlace?
  /// The action that waits.
  public let action: Action
  /// The window that it navigates.
  let window: Text?
}
