import MoonLua
import MoonServiceKit

/// The usage meters of all modules, which outlive the modules' machines.
///
/// Confined to the host.
final class Meters {
  private var meters: [ModuleName: UsageMeter] = [:]

  /// The meter of a module, created on first use.
  subscript(name: ModuleName) -> UsageMeter {
    if let meter = meters[name] { return meter }
    let meter = UsageMeter()
    meters[name] = meter
    return meter
  }
}
