import CMoonLua

/// Adds up what the machines of one owner use: those that live, and those that are gone.
///
/// Confined as its machines are.
package final class UsageMeter {
  /// What all of them have used together.
  package struct Usage: Equatable {
    /// How often Lua was called.
    package var calls = 0
    /// How long those calls took, the one under way left out.
    package var time = Duration.zero
    /// Bytes that one machine held at most.
    package var memoryPeak = 0
  }

  private var past = Usage()
  private var living: [OpaquePointer] = []

  package init() {}

  package var usage: Usage { living.reduce(into: past) { $0.add($1) } }

  func add(_ vm: OpaquePointer) { living.append(vm) }

  /// Keeps what a machine has used that is about to be closed.
  func remove(_ vm: OpaquePointer) {
    living.removeAll { $0 == vm }
    past.add(vm)
  }
}

extension UsageMeter.Usage {
  fileprivate mutating func add(_ vm: OpaquePointer) {
    let usage = moon_vm_usage(vm)
    calls += Int(clamping: usage.calls)
    time += .nanoseconds(Int64(clamping: usage.nanoseconds))
    memoryPeak = max(memoryPeak, moon_vm_memory_peak(vm))
  }
}
