public import MoonActions
public import MoonServiceKit
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
  package let window: Text?

  /// Makes a routing that waits for a guard.
  package init(
    url: Text, task: TaskID, module: ModuleName, place: SourcePlace?, action: Action, window: Text?
  ) {
    self.url = url
    self.task = task
    self.module = module
    self.place = place
    self.action = action
    self.window = window
  }
}
