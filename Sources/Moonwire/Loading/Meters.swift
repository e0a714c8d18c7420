import MoonLua
import MoonSession

/// The meters of all modules that ever were: what a module has used outlives its machines.
///
/// Confined to the host.
final class Meters {
  private var meters: [ModuleName: UsageMeter] = [:]

  /// The meter of a module; a new one if it has none.
  subscript(name: ModuleName) -> UsageMeter {
    if let meter = meters[name] { return meter }
    let meter = UsageMeter()
    meters[name] = meter
    return meter
  }
}
