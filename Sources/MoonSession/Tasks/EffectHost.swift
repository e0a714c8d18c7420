package import MoonStore
package import MoonValues

/// What functions in Swift that run beside the host ask of a session.
package protocol EffectHost: AnyObject {
  var stateValue: Value { get }
  func slice(of module: ModuleName) -> Value?
  /// Whether a task hasn't ended.
  func runs(_ task: TaskID) -> Bool
  /// Queues an action in the name of a task.
  func dispatch(_ action: Action, for task: TaskID) throws(DispatchError)
  /// Begins a wait of a task's function.
  func wait(_ run: SwiftWait, for task: TaskID)
  /// Ends a wait that its function has given up.
  func cancel(_ ticket: SwiftWait.Ticket)
  /// Gives a task what it waits for, unless that was an earlier wait.
  func answer(_ task: TaskID, _ waitNumber: Int, _ answer: WaitAnswer)
  /// Notes that the function of a task has ended.
  func finish(_ task: TaskID, _ error: (any Error)?)
}

/// The way to a session from anywhere in the program.
package struct SessionDoor: Sendable {
  /// Calls a function on the host with the session, nil if it is closed, and works off what the
  /// function has queued.
  let enter: @Sendable (SessionID, @escaping @Sendable ((any EffectHost)?) -> Void) -> Void

  /// Makes a door.
  package init(
    enter: @escaping @Sendable (SessionID, @escaping @Sendable ((any EffectHost)?) -> Void) -> Void
  ) {
    self.enter = enter
  }
}
