import MoonServiceKit
import MoonTestSupport
import Synchronization
import Testing

/// The memory that a host holds for a module.
///
/// Invariant 20: what has come to be is counted until it has gone.
struct HeldMemoryTests {
  private static let max = 1 << 20

  /// The shares that arrivals were given, in the order of their admission.
  private final class Admitted: Sendable {
    private let shares = Mutex<[(name: Int, share: HeldMemory.Share?)]>([])

    var names: [Int] { shares.withLock { $0.map(\.name) } }

    func add(_ name: Int, _ share: HeldMemory.Share?) {
      shares.withLock { $0.append((name, share)) }
    }

    func release(_ name: Int) {
      // Released outside of the lock, since that may admit others.
      let left = shares.withLock { shares in
        defer { shares.removeAll { $0.name == name } }
        return shares.filter { $0.name == name }
      }
      withExtendedLifetime(left) {}
    }
  }

  @Test(arguments: 1...40)
  func `after any sequence nothing is held, and never more than the limit`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let memory = HeldMemory(bytesMax: Self.max)
    var shares: [HeldMemory.Share] = []
    let admitted = Admitted()
    let inlets = (0..<4).map { _ in HeldMemory.Inlet(into: memory) }
    var waiting: [Int] = []
    func takeSteps() throws {
      for step in 0..<500 {
        let bytes = random.below(Self.max / 3)
        switch random.below(6) {
        case 0, 1: if let share = try? memory.hold(bytes) { shares.append(share) }
        case 2: if let share = shares.randomElement(using: &random) { try? share.grow(by: bytes) }
        case 3: if !shares.isEmpty { shares.remove(at: random.below(shares.count)) }
        case 4:
          waiting.append(
            try memory.admit(bytes, through: inlets[step % 4]) { admitted.add(step, $0) })
        default:
          if let number = waiting.randomElement(using: &random) { memory.withdraw(number) }
          if let name = admitted.names.randomElement(using: &random) { admitted.release(name) }
        }
        #expect(memory.bytes <= Self.max)
      }
    }
    if seed.isMultiple(of: 2) {
      try await inlets[0].awaiting { try takeSteps() }
    } else {
      try takeSteps()
    }
    shares = []
    while let name = admitted.names.first { admitted.release(name) }
    #expect(memory.bytes == 0)
    #expect(memory.waitingCount == 0)
  }

  @Test func `what doesn't fit is refused, and nothing is held for it`() throws {
    let memory = HeldMemory(bytesMax: Self.max)
    let share = try memory.hold(Self.max - 5_000)
    #expect(throws: ServiceRefusal.memoryFull(max: Self.max)) { try memory.hold(5_001) }
    #expect(throws: ServiceRefusal.memoryFull(max: Self.max)) { try share?.grow(by: 5_001) }
    #expect(memory.bytes == Self.max - 5_000)
    #expect(try memory.hold(5_000) != nil)
    withExtendedLifetime(share) {}
  }

  @Test func `what arrives waits for half of the memory, in the order in which it came`() throws {
    let memory = HeldMemory(bytesMax: Self.max)
    let inlet = HeldMemory.Inlet(into: memory)
    var share = try memory.hold(Self.max / 2)
    let admitted = Admitted()
    for (name, bytes) in [300_000, 300_000, 5_000].enumerated() {
      _ = try memory.admit(bytes, through: inlet) { admitted.add(name, $0) }
    }
    #expect(admitted.names == [])
    share = nil
    // The third would fit, and comes after the second.
    #expect(admitted.names == [0])
    admitted.release(0)
    #expect(admitted.names == [1, 2])
    #expect(throws: ServiceRefusal.memoryFull(max: Self.max)) {
      _ = try memory.admit(Self.max / 2 + 1, through: inlet) { _ in }
    }
    withExtendedLifetime(share) {}
  }

  @Test func `what a task awaits goes first, and may use the other half`() async throws {
    let memory = HeldMemory(bytesMax: Self.max)
    let (idle, awaited) = (HeldMemory.Inlet(into: memory), HeldMemory.Inlet(into: memory))
    let share = try memory.hold(Self.max / 2)
    let admitted = Admitted()
    _ = try memory.admit(5_000, through: idle) { admitted.add(0, $0) }
    _ = try memory.admit(Self.max / 2, through: awaited) { admitted.add(1, $0) }
    #expect(admitted.names == [])
    await awaited.awaiting { #expect(admitted.names == [1]) }
    // It is full now, also for what is awaited.
    await idle.awaiting { #expect(admitted.names == [1]) }
    admitted.release(1)
    #expect(admitted.names == [])
    await idle.awaiting { #expect(admitted.names == [0]) }
    withExtendedLifetime(share) {}
  }

  @Test func `who gives up waiting lets those behind it go on`() async throws {
    let memory = HeldMemory(bytesMax: Self.max)
    let inlet = HeldMemory.Inlet(into: memory)
    let share = try memory.hold(Self.max / 4)
    let waiting = Task { try await memory.admit(Self.max / 2, through: inlet) }
    while memory.waitingCount == 0 { await Task.yield() }
    let next = Task { try await memory.admit(5_000, through: inlet) }
    while memory.waitingCount == 1 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    #expect(try await next.value != nil)
    withExtendedLifetime(share) {}
  }
}
