import MoonLua
import MoonModules
import MoonScripts
import MoonServiceKit

/// Tells how much memory the machines of modules use, at most once a second.
///
/// An idle host tells nothing, since nothing changes. Confined to the host.
final class MemoryMeter {
  static let interval = Duration.seconds(1)

  private let telemetry: any Telemetry
  private let clock: Clock.Timer
  /// The time of the next measurement; nil for at once.
  private var next: Duration?

  /// Makes the meter of a host; nil if nothing measures it.
  init?(_ telemetry: (any Telemetry)?, _ clock: Clock.Timer) {
    guard let telemetry else { return nil }
    self.telemetry = telemetry
    self.clock = clock
  }

  /// Tells the memory of modules, if it is time to.
  func measure(_ generations: [ModuleName: Generation]) {
    let now = clock.now()
    if let next, now < next { return }
    next = now + Self.interval
    for (name, generation) in generations.sorted(by: { $0.key < $1.key }) {
      telemetry.record(.memory(name, bytes: generation.machine.memory))
    }
  }
}
