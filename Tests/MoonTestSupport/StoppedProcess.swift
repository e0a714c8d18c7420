import Foundation

extension TestProcess {
  /// Stops this process and continues it after `seconds`.
  ///
  /// For tests in a process of their own.
  ///
  /// Another process does the continuing.
  package static func stop(forSeconds seconds: Double) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    let own = ProcessInfo.processInfo.processIdentifier
    shell.arguments = ["-c", "kill -STOP \(own); sleep \(seconds); kill -CONT \(own)"]
    try shell.run()
    shell.waitUntilExit()
  }
}
