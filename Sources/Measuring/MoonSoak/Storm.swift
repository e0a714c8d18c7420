import Moonwire
import Synchronization

/// A storm of dispatches, which compares the state with the model after every action.
final class Storm: Sendable {
  /// The number of actions before other callers of the host get a turn.
  static let batch = 20
  /// The number of batches before a check by other means: another session, or the prompt.
  static let otherPathsInterval = 100

  private let host: Host
  private let session: SessionID
  private let verdicts: Verdicts
  private let model = Mutex(Model())
  private let progress: Mutex<Progress>

  init(host: Host, session: SessionID, verdicts: Verdicts) {
    self.host = host
    self.session = session
    self.verdicts = verdicts
    progress = Mutex(Progress())
  }

  /// The progress so far.
  var soFar: Progress { progress.withLock { $0 } }

  /// Updates the progress.
  func note(_ change: (inout Progress) -> Void) {
    progress.withLock { progress in change(&progress) }
  }

  /// Dispatches until the task is cancelled.
  func run(seed: UInt64) async {
    var random = Randomness(seed: seed)
    while !Task.isCancelled {
      let seed = random.next()
      await host.perform { host in self.runBatch(on: host, seed: seed) }
      if random.once(in: Self.otherPathsInterval) { await checkOtherPaths(random.next()) }
      await Task.yield()
    }
  }

  /// Compares the whole state with the model.
  func checkAtRest() async {
    await host.perform { host in
      let state = host.state(of: self.session)
      guard let difference = self.model.withLock({ $0.difference(from: state) }) else { return }
      self.verdicts.violate("end state", "At the end \(difference).")
    }
  }

  private func runBatch(on host: isolated Host, seed: UInt64) {
    var random = Randomness(seed: seed)
    for _ in 0..<Self.batch {
      let move = Move.random(&random)
      guard run(move, by: Int64(random.number(1..<10)), on: host) else { return }
    }
  }

  /// Runs one action; returns false if it took a whole budget, so that others should get a turn.
  private func run(_ move: Move, by number: Int64, on host: isolated Host) -> Bool {
    let before = host.state(of: session)
    let known = model.withLock { $0 }
    var next = known
    let action = move.action(&next, state: before, by: number)
    let type = action.type.string
    do throws(DispatchError) {
      let outcome = try host.dispatch(action, to: session)
      note { $0.accepted += 1 }
      if !move.mayBeAccepted { verdicts.violate("passes", "\(type) was accepted, and must fail.") }
      let own = outcome.faults.filter { ["tally", "mirror", "audit"].contains($0.module) }
      if let fault = own.first {
        verdicts.violate("healthy fault", "A healthy module has a fault: \(fault.reason).")
      }
      model.withLock { $0 = next }
      if let difference = next.difference(from: host.state(of: session)) {
        verdicts.violate("counted once", "After \(type) was accepted \(difference).")
        resume(from: next, host)
      }
      return true
    } catch {
      note { $0.refused += 1 }
      if !move.permits(error, guestIsHere: before?["guest"] != nil) {
        verdicts.violate(
          move == .hurt || move == .visit ? "refusal" : "healthy answers",
          "\(type) was refused without need: \(error).")
      }
      let after = host.state(of: session)
      if after != before {
        verdicts.violate("changes nothing", "\(type) failed, and yet the state has changed.")
      }
      if let difference = known.difference(from: after) {
        verdicts.violate("counted once", "After \(type) was refused \(difference).")
        resume(from: known, host)
      }
      if case .fault(let fault) = error, case .raised = fault.reason { return true }
      return false
    }
  }

  /// Adopts the current state as the model, so that one loss is reported once.
  private func resume(from expected: Model, _ host: isolated Host) {
    guard let state = host.state(of: session) else { return }
    var model = expected
    let read = { (slice: String, field: String, other: Int64) in
      state.mapValue?[.string(Text(slice))]?.mapValue?[.string(Text(field))]?.intValue ?? other
    }
    model.count = read("tally", "count", model.count)
    model.added = read("mirror", "added", model.added)
    model.seen = read("mirror", "seen", model.seen)
    model.heard = read("mirror", "heard", model.heard)
    model.victim = read("victim", "n", model.victim)
    model.guest = read("guest", "n", model.guest)
    if let items = state["tally"]?["items"]?.listValue {
      model.items = items.map { $0.intValue ?? -1 }
    }
    self.model.withLock { $0 = model }
  }

  // MARK: Other means

  private func checkOtherPaths(_ seed: UInt64) async {
    var random = Randomness(seed: seed)
    if random.once(in: 2) {
      await evaluate()
    } else {
      await runAnotherSession(count: random.number(1..<5))
    }
  }

  private func evaluate() async {
    await host.perform { host in
      let expected = self.model.withLock { $0.count }
      do throws(Fault) {
        let values = try host.evaluate("state('tally').count", in: self.session)
        if values != [.value(.int(expected))] {
          self.verdicts.violate("prompt", "The prompt says \(values), not \(expected).")
        }
      } catch {
        self.verdicts.violate("prompt", "The prompt fails: \(error.reason).")
      }
    }
  }

  private func runAnotherSession(count: Int) async {
    let id = await host.openSession()
    for _ in 0..<count {
      do throws(DispatchError) {
        try await host.dispatch(Action("tally/add", ["by": 1]), to: id)
      } catch {
        verdicts.violate("other session", "Another session can't count: \(error).")
      }
    }
    let found = await host.state(of: id)?["tally"]?["count"]
    if found != .int(Int64(count)) {
      verdicts.violate(
        "other session", "Another session's count isn't \(count) but \(found ?? .null).")
    }
    await host.closeSession(id)
  }
}
