import MoonServiceKit
import Synchronization
import Testing

@testable import MoonServices

/// What a server sends without end is held for the module, or waits outside.
///
/// Invariant 20: frames that have arrived count in the module's memory.
struct WebSocketFramesTests {
  /// Returns a server's frame with so many zeros.
  private static func frame(_ opcode: WebSocketFrames.Opcode, _ count: Int) -> [UInt8] {
    let length =
      count < 126
      ? [UInt8(count)]
      : [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    return [0x80 | opcode.rawValue] + length + [UInt8](repeating: 0, count: count)
  }

  @Test func `a flood of pings holds nothing, and each is there by itself`() throws {
    let memory = HeldMemory(bytesMax: 1 << 20)
    let frames = try #require(
      WebSocketFrames(bytesMax: 1 << 20, through: HeldMemory.Inlet(into: memory)))
    let flood = (0..<128).flatMap { _ in Self.frame(.ping, 125) }
    for _ in 0..<80 {
      frames.add(flood)
      for _ in 0..<128 {
        let unit = try #require(try frames.next())
        #expect(unit.opcode == .ping && unit.bytes.count == 125 && unit.share == nil)
      }
      #expect(try frames.next() == nil)
      #expect(memory.bytes == 0)
    }
  }

  @Test func `messages that nobody takes wait outside once half of the memory is held`() throws {
    let memory = HeldMemory(bytesMax: 1 << 20)
    let frames = try #require(
      WebSocketFrames(bytesMax: 1 << 20, through: HeldMemory.Inlet(into: memory)))
    let count = 40
    for _ in 0..<count { frames.add(Self.frame(.binary, 100_000)) }
    let admitted = Mutex<HeldMemory.Share??>(nil)
    var units: [WebSocketFrames.Unit] = []
    func readOn() throws {
      while true {
        if let unit = try frames.next() {
          units.append(unit)
          continue
        }
        guard frames.wantsRoom else { return }
        try frames.askForRoom { share in admitted.withLock { $0 = .some(share) } }
        guard let share = admitted.withLock({ $0.take() }) else { return }
        frames.admit(share)
      }
    }
    try readOn()
    for taken in 0..<count {
      try #require(units.count == min(5, count - taken))
      #expect(memory.bytes == units.count * 100_000)
      units.removeFirst()
      try readOn()
    }
    #expect(units.isEmpty && memory.bytes == 0)
  }
}
