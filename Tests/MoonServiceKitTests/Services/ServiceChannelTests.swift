import MoonServiceKit
import MoonTestSupport
import Synchronization
import Testing

/// Tasks that hand values to one another.
///
/// Each test runs many rounds, in which a task has sometimes begun to wait when something happens to
/// it, and sometimes not.
@Suite(.timeLimit(.minutes(2))) struct ServiceChannelTests {
  private struct Broken: Error, Equatable { let number: Int }

  private static let rounds = 200

  /// Lets other tasks run, in some rounds longer than in others.
  private func letOthersRun(in round: Int) async {
    for _ in 0..<(round % 20) { await _Concurrency.Task.yield() }
  }

  @Test func `values arrive once, in the order in which they were sent`() async throws {
    let channel = ServiceChannel<Int>()
    let sender = _Concurrency.Task {
      for number in 0..<1_000 { await channel.send(number) }
      channel.finish()
    }
    var received: [Int] = []
    for try await number in channel { received.append(number) }
    #expect(received == Array(0..<1_000))
    await sender.value
  }

  @Test func `a sender waits until its value is taken`() async throws {
    let channel = ServiceChannel<Int>()
    let sent = Mutex(0)
    let sender = _Concurrency.Task {
      for number in 1...Self.rounds {
        await channel.send(number)
        sent.withLock { $0 = number }
      }
    }
    for round in 1...Self.rounds {
      await letOthersRun(in: round)
      #expect(sent.withLock { $0 } < round)
      #expect(try await channel.next() == round)
    }
    await sender.value
    #expect(sent.withLock { $0 } == Self.rounds)
  }

  @Test func `a sender that is cancelled goes on, and its value is never taken`() async throws {
    for round in 0..<Self.rounds {
      let channel = ServiceChannel<Int>()
      let cancelled = _Concurrency.Task { await channel.send(1) }
      await letOthersRun(in: round)
      cancelled.cancel()
      await cancelled.value
      async let other: Void = channel.send(2)
      #expect(try await channel.next() == 2)
      await other
    }
  }

  @Test func `a receiver that is cancelled gets nothing, and loses nothing`() async throws {
    for round in 0..<Self.rounds {
      let channel = ServiceChannel<Int>()
      let cancelled = _Concurrency.Task { try await channel.next() }
      await letOthersRun(in: round)
      cancelled.cancel()
      #expect(try await cancelled.value == nil)
      async let sending: Void = channel.send(1)
      #expect(try await channel.next() == 1)
      await sending
    }
  }

  @Test func `at the end all that wait go on, and nothing is sent any more`() async throws {
    for round in 0..<Self.rounds {
      let channel = ServiceChannel<Int>()
      let waiting = (0..<3).map { number in
        _Concurrency.Task {
          if round.isMultiple(of: 2) { return try await channel.next() }
          await channel.send(number)
          return nil
        }
      }
      await letOthersRun(in: round)
      channel.finish()
      for task in waiting { #expect(try await task.value == nil) }
      await channel.send(7)
      #expect(try await channel.next() == nil)
      channel.fail(Broken(number: 1))
      #expect(try await channel.next() == nil)
    }
  }

  @Test func `an error reaches a receiver once, after all values`() async throws {
    for round in 0..<Self.rounds {
      let channel = ServiceChannel<Int>()
      let sender = _Concurrency.Task {
        await channel.send(1)
        channel.fail(Broken(number: 2))
        channel.finish()
      }
      #expect(try await channel.next() == 1)
      await letOthersRun(in: round)
      await #expect(throws: Broken(number: 2)) { _ = try await channel.next() }
      #expect(try await channel.next() == nil)
      await sender.value
    }
  }

  @Test func `an error reaches the receivers that wait, or else the next one`() async throws {
    for round in 0..<Self.rounds {
      let channel = ServiceChannel<Int>()
      let waiting = (0..<3).map { _ in _Concurrency.Task { try await channel.next() } }
      await letOthersRun(in: round)
      channel.fail(Broken(number: 1))
      var failed = 0
      for task in waiting {
        switch await task.result {
        case .success(let value): #expect(value == nil)
        case .failure(let error):
          #expect(error as? Broken == Broken(number: 1))
          failed += 1
        }
      }
      #expect(failed >= 1)
      #expect(try await channel.next() == nil)
    }
  }

  @Test func `in a storm of cancellations nothing is lost but what is cancelled`() async throws {
    for seed in UInt64(0)..<20 {
      let channel = ServiceChannel<Int>()
      let receivers = (0..<4).map { _ in
        _Concurrency.Task {
          var received: [Int] = []
          // Nil also for one that is cancelled, and then the others take the rest.
          while let number = try await channel.next() { received.append(number) }
          return received
        }
      }
      let senders = (0..<100).map { number in
        _Concurrency.Task { await channel.send(number) }
      }
      var random = SplitMix64(seed: seed)
      let cancelled = Set((0..<50).map { _ in Int.random(in: 0..<100, using: &random) })
      for number in cancelled { senders[number].cancel() }
      for receiver in receivers.dropFirst() { receiver.cancel() }
      for sender in senders { await sender.value }
      channel.finish()
      var all: [Int] = []
      for receiver in receivers { all += try await receiver.value }
      #expect(Set(all).count == all.count, "a value arrived twice")
      #expect(Set(0..<100).subtracting(cancelled).isSubset(of: all))
    }
  }
}
