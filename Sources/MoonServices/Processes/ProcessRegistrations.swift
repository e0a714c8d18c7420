import Moonwire
import Synchronization

/// The processes that run for modules.
final class ProcessRegistrations: Sendable {
  /// The maximum number of processes of one module at a time.
  static let countMax = 16

  /// Whose processes are counted together.
  private struct Owner: Hashable {
    let module: ModuleName?
    let session: SessionID
  }

  private let counts = Mutex<[Owner: Int]>([:])

  /// Counts a process of the module that calls.
  ///
  /// - Throws: ``ProcessFailure/tooMany(max:)``.
  func begin(_ call: ServiceCall) throws(ProcessFailure) -> ProcessRegistration {
    let owner = Owner(module: call.module, session: call.session)
    try counts.withLock { counts throws(ProcessFailure) in
      guard counts[owner, default: 0] < Self.countMax else { throw .tooMany(max: Self.countMax) }
      counts[owner, default: 0] += 1
    }
    return ProcessRegistration { [weak self] in self?.end(owner) }
  }

  private func end(_ owner: Owner) {
    counts.withLock { counts in
      counts[owner, default: 1] -= 1
      if counts[owner] == 0 { counts[owner] = nil }
    }
  }
}

/// One process that is counted.
struct ProcessRegistration: Sendable {
  fileprivate let ending: @Sendable () -> Void

  /// To be called once, when the process has ended.
  func end() { ending() }
}
