import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Journals of sessions that go back in time.
struct TimelineJournalTests {
  /// What happens in a session after three actions.
  enum Course: String, CaseIterable {
    case backAndForth, pastAndKilled, cut, undo, skip, revert, cutAndGoOn
  }

  private func carryOut(
    _ course: Course, _ host: Host, _ session: SessionID
  ) async throws {
    switch course {
    case .backAndForth:
      try await host.travel(to: .back(2), in: session)
      try await host.travel(to: .present, in: session)
    case .pastAndKilled: try await host.travel(to: .back(2), in: session)
    case .cut, .cutAndGoOn:
      try await host.travel(to: .back(2), in: session)
      try await host.carryOut(.cut, in: session)
    case .undo: try await host.undo(in: session)
    case .skip: try await host.carryOut(.toggle(1), in: session)
    case .revert: try await host.carryOut(.revert, in: session)
    }
    if course == .cutAndGoOn { try await host.dispatch(Action("counter/draw"), to: session) }
  }

  @Test(arguments: Course.allCases)
  func `a session goes on where it was, and its journal verifies and replays`(
    course: Course
  ) async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    let states = try await bench.run(on: file) { host, session in
      for by in [1, 10, 100] {
        try await host.dispatch(Action("counter/add", ["by": .int(Int64(by))]), to: session)
      }
      let before = await host.state(of: session)
      try await carryOut(course, host, session)
      return (before, await host.state(of: session))
    }
    file.close()
    // While an earlier state is shown, nothing is kept.
    let expected = course == .pastAndKilled ? states.0 : states.1
    #expect(try await verifiedState(bench) == expected)
    let (replayed, difference) = try await bench.replay()
    #expect(replayed == expected)
    #expect(difference == nil)
    #expect(try await bench.resumedState() == expected)
  }

  private func verifiedState(_ bench: JournalBench) async throws -> Value? {
    let run = try RecordedRun(bench.path)
    var following = ReplayedState()
    var reading: (any Error)?
    try run.read { number, entry in
      do {
        try following.take(number, entry)
        return true
      } catch {
        reading = error
        return false
      }
    }
    if let reading { throw reading }
    return following.state
  }
}
