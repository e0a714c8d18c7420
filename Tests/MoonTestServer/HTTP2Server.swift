import Foundation
import Glibc
import MoonTestSupport

/// A server of files on 127.0.0.1 that speaks HTTP/2 over TLS and no other protocol: `nghttpd`.
///
/// It ends with ``withHTTP2Server(files:certificate:_:)``.
package final class HTTP2Server: StartedServer, Sendable {
  package let port: Int
  private let folder: TemporaryFolder
  private let child: ChildProcess

  private static let program = "/usr/sbin/nghttpd"
  /// The time within which it must listen.
  private static let secondsMax = 20
  /// The number of ports that are tried, each of which another program may have taken meanwhile.
  private static let attemptCountMax = 5
  private static let pollMilliseconds: Int32 = 5

  /// Starts the program, and waits until it listens.
  fileprivate init(files: [String: String], certificate: TestCertificate) async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let served = folder.path + "/served"
    try FileManager.default.createDirectory(atPath: served, withIntermediateDirectories: false)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: served).appending(path: name))
    }
    let (key, shown) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
    try Data(certificate.keyPEM.utf8).write(to: URL(filePath: key))
    try Data(certificate.pem.utf8).write(to: URL(filePath: shown))
    for _ in 1...Self.attemptCountMax {
      let port = try await unusedPort()
      let (input, output) = (DescriptorPipe(), DescriptorPipe())
      let child = try ChildProcess(
        Self.program, ["--htdocs=\(served)", "--address=127.0.0.1", "\(port)", key, shown],
        environment: [:], streams: (input.reading, output.writing, output.writing))
      output.closeWriting()
      let listens = await Self.listens(at: port, output: output.reading)
      withExtendedLifetime(output) {}
      guard listens else { continue }
      (self.port, self.child) = (port, child)
      return
    }
    throw ServerError.noAnswer(program: Self.program)
  }

  package func close() async {
    child.end()
    // It has been killed, so this takes no time.
    _ = child.wait()
  }

  /// Returns whether a program listens before its output ends.
  private static func listens(at port: Int, output: Int32) async -> Bool {
    await withCheckedContinuation { continuation in
      let isStarted = ServerThread.start {
        continuation.resume(returning: waitUntilListening(at: port, output: output))
      }
      if !isStarted { continuation.resume(returning: false) }
    }
  }

  private static func waitUntilListening(at port: Int, output: Int32) -> Bool {
    let deadline = ContinuousClock.now + .seconds(secondsMax)
    while ContinuousClock.now < deadline {
      if ListeningSocket.isListening(at: port) { return true }
      var source = pollfd(fd: output, events: 0, revents: 0)
      if poll(&source, 1, pollMilliseconds) > 0 { return false }
    }
    return false
  }
}

/// Runs a body with a server of files, given by their names and texts, which speaks HTTP/2.
///
/// It ends with the body in any case.
package func withHTTP2Server(
  files: [String: String], certificate: TestCertificate,
  _ body: (HTTP2Server) async throws -> Void
) async throws {
  try await HTTP2Server(files: files, certificate: certificate).close(after: body)
}
