import MoonActions
import MoonServiceKit
import MoonTestSupport
import Testing

@testable import MoonModules

struct SuspensionCountingTests {
  private static let calls: [Registration] = (1...4).map { Registration(.reducer, "m/\($0)") }

  private static func name() throws -> ModuleName { try #require(ModuleName("m")) }

  /// Returns the number of calls after which a module is suspended that fails in those that
  /// `isFault` selects; nil if a thousand calls don't suffice.
  private static func callsUntilSuspended(
    registrations: Int = 1, isKill: Bool = false, max: Int = Suspension.faultsMax,
    _ isFault: (Int) -> Bool
  ) throws -> Int? {
    var suspension = Suspension()
    for call in 0..<1_000 {
      let registration = calls[call % registrations]
      if !isFault(call) {
        suspension.recordSuccess(of: try name(), in: registration)
      } else if suspension.recordFault(of: try name(), in: registration, isKill: isKill, max: max)
        != nil
      {
        #expect(suspension.modules == [try name()])
        return call + 1
      }
    }
    return nil
  }

  @Test(
    arguments: [
      ("always", 1, 1, 20), ("9 of 10", 10, 9, 22), ("every second time", 2, 1, 39),
      ("2 of 5", 5, 2, 47), ("1 of 3", 3, 1, nil), ("never", 1, 0, nil),
    ] as [(String, Int, Int, Int?)])
  func `a registration that fails so often is left alone`(
    how: String, period: Int, faults: Int, calls: Int?
  ) throws {
    #expect(try Self.callsUntilSuspended { $0 % period < faults } == calls)
  }

  @Test(arguments: [("always", 1, 4), ("every second time", 2, 7), ("every tenth", 10, 31)])
  func `what ends a machine counts as five`(how: String, period: Int, calls: Int) throws {
    #expect(try Self.callsUntilSuspended(isKill: true) { $0 % period == 0 } == calls)
  }

  @Test func `what fails in turn in several registrations is counted together`() throws {
    #expect(try Self.callsUntilSuspended(registrations: 4) { $0.isMultiple(of: 2) } == 39)
  }

  @Test func `one registration that always fails is left alone among others that never do`() throws
  {
    #expect(try Self.callsUntilSuspended(registrations: 4) { $0.isMultiple(of: 4) } == 77)
  }

  @Test(arguments: [(1, 1), (50, 50), (51, 50), (Int.max, 50)])
  func `a limit above what is looked back on is that`(max: Int, calls: Int) throws {
    #expect(try Self.callsUntilSuspended(max: max) { _ in true } == calls)
  }

  @Test func `no limit suspends nothing`() throws {
    #expect(try Self.callsUntilSuspended(isKill: true, max: 0) { _ in true } == nil)
  }

  @Test func `fifty calls that went well forget what was before`() throws {
    var suspension = Suspension()
    let name = try Self.name()
    _ = suspension.recordFault(of: name, in: Self.calls[0], isKill: true, max: 20)
    for _ in 1..<50 { suspension.recordSuccess(of: name, in: Self.calls[0]) }
    #expect(suspension.recent(of: name) == 1)
    suspension.recordSuccess(of: name, in: Self.calls[0])
    #expect(suspension.recent(of: name) == 0)
    #expect(suspension.total(of: name) == 1)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a window is the last fifty calls, whatever they were`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var window = FaultWindow()
    var all: [Int] = []
    for _ in 0..<500 {
      let weight = [0, 0, 1, FaultWindow.killWeight][Int.random(in: 0..<4, using: &random)]
      all.append(weight)
      if weight == 0 { window.recordSuccess() } else { window.recordFault(isKill: weight > 1) }
      let last = all.suffix(FaultWindow.callCount)
      #expect(window.weight == last.reduce(0, +))
      #expect(window.faultCount == last.count { $0 > 0 })
    }
  }
}
