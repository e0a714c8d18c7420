import CMoonLua

/// Adds up what the machines of one owner use, present and past.
///
/// It is confined like its machines.
package final class UsageMeter {
  /// The sum over all machines.
  package struct Usage: Equatable {
    /// The number of completed calls into Lua.
    package var calls = 0
    /// Their total time.
    package var time = Duration.zero
    /// The highest memory use of a machine, in bytes.
    package var memoryPeak = 0
  }

  private var past = Usage()
  private var living: [OpaquePointer] = []
  /// The memory in use by the machines that share a quota, for C.
  let sharedMemory = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  package init() { sharedMemory.initialize(to: 0) }

  deinit { sharedMemory.deallocate() }

  package var usage: Usage { living.reduce(into: past) { $0.add($1) } }

  func add(_ vm: OpaquePointer) { living.append(vm) }

  /// Keeps the sum of a machine that is about to be closed.
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
