import Moonwire

/// Work with many sessions, or from many tasks, on a host with ten modules.
enum SessionWorkload: String {
  /// Opens and closes a session beside others.
  case open
  /// Opens sessions beside others and keeps them.
  case kept
  /// Dispatches workload A's action to one of many sessions.
  case among
  /// Dispatches workload A's action from many tasks at once, each of which waits for the outcome.
  case awaited

  private static let action = Action("m0/inc", ["by": 1])

  /// Does the work `count` times, beside or from `size` sessions or tasks.
  ///
  /// The tasks prefer the host's thread if `isPreferring` is true.
  func run(size: Int, count: Int, isPreferring: Bool) async throws {
    var files: [String: String] = [:]
    for number in 0..<10 { files["m\(number).lua"] = Scripts.increment }
    let folder = ScriptFolder(files)
    let host = try Host(directory: folder.path, options: .unlimited)
    try await host.load()
    let sessions = await host.perform { host in
      (0..<(self == .awaited ? 1 : size)).map { _ in host.openSession() }
    }
    let session = sessions[sessions.count / 2]
    Usage.giveBackFreedMemory()
    let (bytes, processor) = (Usage.residentBytes, Usage.processorTime)
    switch self {
    case .open:
      await host.perform { host in
        for _ in 0..<count { host.closeSession(host.openSession()) }
      }
    case .kept:
      await host.perform { host in
        for _ in 0..<count { _ = host.openSession() }
      }
    case .among:
      try await host.perform { host in
        for _ in 0..<count { try host.dispatch(Self.action, to: session) }
      }
    case .awaited:
      try await withThrowingTaskGroup { group in
        for _ in 0..<size {
          group.addTask(executorPreference: isPreferring ? host.taskExecutor : nil) {
            for _ in 0..<(count / size) { try await host.dispatch(Self.action, to: session) }
          }
        }
        try await group.waitForAll()
      }
    }
    let used = Usage.processorTime - processor
    Usage.giveBackFreedMemory()
    let growth = Usage.residentBytes - bytes
    let sum = await host.state(of: session)?["m0"]?["count"]?.intValue ?? 0
    print(
      """
      {"peer":"moonwire","workload":"\(self)","n":\(count),"cpu_s":\(used),"bytes":\(growth),\
      "check":\(sum)}
      """)
    await host.close()
  }
}
