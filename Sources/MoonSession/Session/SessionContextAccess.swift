package import MoonRouting
package import MoonStore
package import MoonValues

extension Session: ContextSession {
  package func slice(of module: ModuleName) -> Value? { slices[module] }

  package func enqueue(
    _ action: consuming Action, with others: [Action], cause: Cause
  ) throws(DispatchError) {
    try intake.add(action, with: others, cause: cause)
  }

  package func checkRoom(
    for actions: [Action], of owner: ModuleName
  ) throws(DispatchError) {
    try intake.checkRoom(for: actions, of: owner)
  }

  package func startTimer(
    _ action: Action, after time: Duration, every: Duration?, of module: ModuleName
  ) throws(TimerError) -> TaskID {
    let registration = Registration(.timer, action.type.string)
    do throws(DispatchError) {
      // Checked here and again at each run, so that the caller gets the error.
      try EffectChain.check(work.effectDepth, .native)
      _ = try listeners(to: action, cause: .module(module.text, .timer))
    } catch {
      throw .action(error)
    }
    guard let owner = modules[module]?.module else { throw .action(.noSession) }
    do throws(Refused) {
      return try tasks.startTimer(
        action, after: time, every: every, for: registration, of: owner)
    } catch {
      throw .refused(error.text)
    }
  }

  package func cancel(_ task: TaskID, of module: ModuleName) -> Bool {
    hasTasks && tasks.owner(of: task) == module && tasks.cancel(task)
  }

  package func canRoute(_ url: Text) -> Bool {
    modules.registry.router.firstRoute(taking: url) != nil
  }

  package func url(for name: Text, _ parameters: Map) throws(RouteURLError) -> Text {
    try modules.registry.router.url(for: name, parameters)
  }
}
