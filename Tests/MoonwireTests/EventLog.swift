import Moonwire

/// A record of a host's events, which tests can wait for.
actor EventLog {
  /// The error if an awaited event didn't come before the events or the test ended.
  struct Missed: Error, CustomStringConvertible {
    let awaited: String
    let seen: [String]

    var description: String { "no event '\(awaited)' among \(seen)" }
  }

  private var events: [HostEvent] = []
  /// The index of the first event that hasn't been awaited yet.
  private var next = 0
  /// The tasks that wait for the next event or the end.
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var hasEnded = false

  init(_ stream: AsyncStream<HostEvent>) {
    Task { [weak self] in
      for await event in stream { await self?.add(event) }
      await self?.end()
    }
  }

  /// The summaries of all events so far.
  var summaries: [String] { events.map(\.summary) }

  /// Waits for the next event whose summary has this prefix; returns the events from the last
  /// awaited one to that one.
  ///
  /// The suite's time limit ends the wait for an event that doesn't come.
  @discardableResult
  func upTo(_ beginning: String) async throws -> [String] {
    let first = next
    while true {
      while next < events.count {
        next += 1
        if events[next - 1].summary.hasPrefix(beginning) {
          return events[first..<next].map(\.summary)
        }
      }
      guard !hasEnded, !Task.isCancelled else {
        throw Missed(awaited: beginning, seen: events[first...].map(\.summary))
      }
      await news()
    }
  }

  /// Returns the latest event whose summary has this prefix.
  func last(_ beginning: String) -> HostEvent? {
    events.last { $0.summary.hasPrefix(beginning) }
  }

  private func add(_ event: HostEvent) {
    events.append(event)
    wake()
  }

  private func end() {
    hasEnded = true
    wake()
  }

  private func news() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        // After an earlier cancellation there is no task left to wake.
        if Task.isCancelled { waiter.resume() } else { waiters.append(waiter) }
      }
    } onCancel: {
      Task { await wake() }
    }
  }

  private func wake() {
    let waking = waiters
    waiters = []
    for waiter in waking { waiter.resume() }
  }
}

extension HostEvent {
  /// A line with everything that tests compare.
  var summary: String {
    switch self {
    case .started(let info): "started \(info.name) \(info.generation)"
    case .reloaded(let reload):
      (["reloaded \(reload.module) \(reload.from)→\(reload.to) \(reload.state.summary)"]
        + reload.added.map { "+\($0.kind.rawValue) \($0.name)" }
        + reload.removed.map { "-\($0.kind.rawValue) \($0.name)" }).joined(separator: " ")
    case .failed(let name, let problems, let running):
      "failed \(name?.text ?? "-") running \(running.map(String.init) ?? "none"): "
        + problems.map(\.summary).joined(separator: "; ")
    case .recovered(let name, let generation): "recovered \(name) \(generation)"
    case .removed(let name): "removed \(name)"
    case .restarted(let name, let generation): "restarted \(name) \(generation)"
    case .suspended(let name, let fault, let count):
      "suspended \(name) by \(fault.registration.name) after \(count)"
    case .resumed(let name): "resumed \(name)"
    case .notKept(let session, let error): "not kept \(session) \(error)"
    case .recordingEnded(let session, let error): "recording ended \(session) \(error)"
    case .fault(let session, let fault): "fault \(session) \(fault.summary)"
    case .refused(_, let refusal, let action):
      "refused \(action?.type.string ?? "-"): \(refusal.reason)"
    case .slice(_, let name, _, let change): "slice of \(name) \(change.summary)"
    case .dispatchFailed(let session, let failure):
      "dispatch failed \(session) \(failure.action.type): \(failure.error.summary)"
    case .tasksChangedState(let session, let outcome):
      "worked \(session) \(outcome.summary.joined(separator: ", "))"
    case .directoryLost(let error): "directory lost \(error)"
    case .directoryFound: "directory found"
    case .conflicts(let conflicts): "\(conflicts.count) conflicts"
    case .doubtfulNames(let names): "doubtful \(names.map(\.name).joined(separator: " "))"
    case .screenChanged(let id, let shown):
      "screen of \(id): \(shown?.card?.lines(width: 80, inputs: [:]).map(\.text) ?? [])"
    case .deadNames(let names): "dead \(names.map(\.name).joined(separator: " "))"
    case .watching(let notice): "watching \(notice)"
    case .failuresLeftOut(let module, let count): "left out of \(module) \(count ?? 0)"
    case .longCall(let call): "\(call)"
    }
  }
}

extension SliceChange {
  var summary: String {
    switch self {
    case .none: "stateless"
    case .kept: "kept"
    case .filled(let paths): "filled " + paths.map(\.description).joined(separator: ",")
    case .migrated(let from, let to): "migrated \(from)→\(to)"
    case .putAside(let from, let to): "put aside \(from), new \(to)"
    case .swapped(let from, let to): "put aside \(from), back \(to)"
    case .returned(let version): "back \(version)"
    case .incompatible(let versions): "not fitting \(versions)"
    case .misshapen(let refusal): "misshapen: \(refusal)"
    case .added: "added"
    }
  }
}

extension ModuleProblem {
  var summary: String {
    switch reason {
    case .fault(let fault): "\(place) \(fault.reason.summary)"
    default: "\(place) \(reason)"
    }
  }
}

extension Fault {
  var summary: String {
    "\(module) \(registration.kind.rawValue) \(registration.name) "
      + "\(place.map(String.init(describing:)) ?? "-") \(reason.summary)"
  }
}

extension DispatchError {
  var summary: String {
    switch self {
    case .fault(let fault): fault.summary
    case .invalidPayload(let type, let problems, _):
      "\(type): " + problems.map(\.description).joined(separator: "; ")
    default: "\(self)"
    }
  }
}

extension Fault.Reason {
  var summary: String {
    switch self {
    case .raised(let text): "raised(\"\(text)\")"
    case .syntax(let text, _): "syntax(\"\(text)\")"
    default: "\(self)"
    }
  }
}
