import Foundation
import Testing

/// The example as a program.
@Suite(.timeLimit(.minutes(1))) struct ServerTests {
  @Test func `SIGTERM ends it once the orders that it has taken are packed`() throws {
    let server = Process()
    let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    server.executableURL = bundle.appending(path: "Server")
    server.currentDirectoryURL = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let log = Pipe()
    server.standardError = log
    try server.run()
    var text = ""
    while !text.contains("placed\n") {
      text += String(decoding: log.fileHandleForReading.availableData, as: UTF8.self)
    }
    server.terminate()
    text += String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    server.waitUntilExit()
    #expect(text.contains(/no more orders\n(?s:.*) action=1 module=orders session=1 .*packed\n/))
    #expect(server.terminationReason == .exit)
    #expect(server.terminationStatus == 0)
  }
}
