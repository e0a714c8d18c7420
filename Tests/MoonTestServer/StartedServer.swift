/// A server that has been started for a test.
package protocol StartedServer {
  /// Ends the server and its connections.
  func close() async
}

extension StartedServer {
  /// Runs a body with the server, which is closed afterwards in any case.
  package func close(after body: (Self) async throws -> Void) async throws {
    do {
      try await body(self)
    } catch {
      await close()
      throw error
    }
    await close()
  }
}
