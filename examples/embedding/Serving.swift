import Moonwire

extension HostSession {
  /// Serves until `stop` returns or is cancelled, then lets effects end, and closes the host.
  func serve(until stop: () async throws -> Void) async {
    try? await stop()
    await waitForEffects(within: .seconds(10))
    await host.close()
  }
}
