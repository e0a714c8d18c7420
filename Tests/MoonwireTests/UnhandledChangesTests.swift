import MoonFiles
import Testing

@testable import Moonwire

@Suite struct UnhandledChangesTests {
  @Test func `files saved while the host is at work are handled together`() {
    let unhandled = UnhandledChanges()
    #expect(unhandled.add(.changed(["a.lua"])), "the host is called")
    for number in 0..<500 { #expect(!unhandled.add(.changed(["\(number).lua"]))) }
    let events = unhandled.takeAll()
    #expect(events == [.changed(Set(["a.lua"] + (0..<500).map { "\($0).lua" }))])
    #expect(unhandled.takeAll().isEmpty)
    #expect(unhandled.add(.changed(["b.lua"])), "the host is called again")
  }

  @Test func `a rescan keeps its place between changes`() {
    let unhandled = UnhandledChanges()
    #expect(unhandled.add(.rescan(.rootVanished)))
    #expect(!unhandled.add(.changed(["a.lua"])))
    #expect(!unhandled.add(.rescan(.rootReturned)))
    #expect(!unhandled.add(.changed(["b.lua"])))
    #expect(!unhandled.add(.changed(["c.lua"])))
    #expect(
      unhandled.takeAll() == [
        .rescan(.rootVanished), .changed(["a.lua"]), .rescan(.rootReturned),
        .changed(["b.lua", "c.lua"]),
      ])
  }
}
