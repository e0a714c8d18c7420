import Moonwire
import Synchronization
import Testing

/// The limit on events about failures that modules cause.
struct FailureLimitTests {
  /// Collects events of a host.
  private final class Events: Sendable {
    private let all = Mutex<[HostEvent]>([])

    func note(_ event: HostEvent) { all.withLock { $0.append(event) } }

    func count(where isCounted: (HostEvent) -> Bool) -> Int {
      all.withLock { $0.count(where: isCounted) }
    }
  }

  @Test func `a module whose actions fail in a loop doesn't hide what is told of others`()
    async throws
  {
    let bench = try await Bench([
      "noise.lua": """
      local moon = require "moonwire"
      return moon.module { actions = { go = {}, no = {} },
        reducers = { no = function() moon.refuse "no" end },
        effects = { go = function(_, self) for i = 1, 900 do self.dispatch "no" end end } }
      """,
      "other.lua": """
      local moon = require "moonwire"
      return moon.module { actions = { go = {}, no = {} },
        reducers = { no = function() moon.refuse "no" end },
        effects = { go = function(_, self) self.dispatch "no" end } }
      """,
    ])
    let events = Events()
    bench.host.deliverEvents { events.note($0) }
    try await bench.dispatch("noise/go")
    try await bench.dispatch("other/go")
    func failures(of type: Text) -> Int {
      events.count { event in
        if case .dispatchFailed(_, let failure) = event {
          failure.action.type == type
        } else {
          false
        }
      }
    }
    // A slow machine may need a second more.
    #expect((100..<850).contains(failures(of: "noise/no")))
    #expect(failures(of: "other/no") == 1)
    #expect(
      events.count { if case .failuresLeftOut("noise", nil) = $0 { true } else { false } } >= 1)
  }
}
