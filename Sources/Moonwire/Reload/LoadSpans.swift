import MoonModules
import MoonServiceKit

extension Telemetry? {
  /// Begins the span of the loading of a module; nil if nothing measures it.
  func openLoad(of name: ModuleName, generation: Int) -> OpenSpan? {
    flatMap { $0.open(.load(name, generation: generation), in: $0.openCaller) }
  }
}

extension OpenSpan {
  /// Ends the span of the loading of a module that isn't put in service, unless it has ended.
  func endUnloaded() { end(.failed("not put in service")) }
}
