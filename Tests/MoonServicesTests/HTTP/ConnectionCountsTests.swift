import Moonwire
import Testing

@testable import MoonServices

/// How the descriptors of the process are shared by the connections of modules.
struct ConnectionCountsTests {
  @Test(arguments: [
    (0, 0, true), (511, 0, true), (511, 511, true), (512, 31, true), (512, 32, false),
    (767, 0, true), (768, 0, false),
  ])
  func `at half of them a module begins a light share, and at three quarters none`(
    others: Int, own: Int, mayBegin: Bool
  ) throws {
    let (module, other) = (ModuleName("m"), ModuleName("other"))
    let counts = [module: own, other: others - own]
    #expect(ConnectionCounts.mayBegin(counts: counts, module, max: 512) == mayBegin)
  }
}
