package import MoonActions
package import MoonModules
package import MoonRouting
package import MoonServiceKit
package import MoonValues

extension Session: ContextSession {
  package func slice(of module: ModuleName) -> Value? { slices[module] }
  package var screenSize: ScreenSize? { screens.size }
  package func visibleRows(ofList id: Text, rowCount: Int) -> Range<Int> {
    screens.visibleRows(ofList: id, rowCount: rowCount)
  }
  package var time: Double { current.standingTime ?? environment.clock.now() }
  package var isWithinNavigation: Bool { current.chain.isWithinAction }
  package func repetition(of one: BoundRegistration) -> Repetition? { current.calls.next(for: one) }

  package func dispatch(
    _ action: consuming Action, with others: [Action], cause: Cause
  ) throws(DispatchError) {
    try intake.add(action, with: others, cause: cause)
  }

  package func canRoute(_ url: Text) -> Bool {
    modules.registry.router.firstRoute(taking: url) != nil
  }

  package func url(for name: Text, _ parameters: Map) throws(RouteURLError) -> Text {
    try modules.registry.router.url(for: name, parameters)
  }
}
