import Foundation
import MoonTestSupport

/// A program that is typed to through a pipe, and what it has printed.
///
/// It ends with this object at the latest.
final class Terminal {
  /// How long a program may take before it is ended, and what it was to print is missing.
  private static let patience: DispatchTimeInterval = .seconds(60)

  private let process = Process()
  private let tree: ProcessTree
  private let timer = DispatchSource.makeTimerSource()
  private let typed = Pipe()
  private let shown = Pipe()
  private var printed = Data()

  /// What it has printed as far as it was read, without marks.
  var output: String { String(decoding: printed, as: UTF8.self) }

  /// Starts `moonwire` in the directory of the package.
  init(_ arguments: [String]) throws {
    // Typing to a program that has ended is an error and not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = Command.products.appending(path: "moonwire")
    process.arguments = arguments
    process.currentDirectoryURL = Command.root
    process.standardInput = typed
    process.standardOutput = shown
    process.standardError = shown
    try process.run()
    let tree = ProcessTree(of: process.processIdentifier)
    self.tree = tree
    // Else a program that prints less than is awaited would hold up all tests.
    timer.setEventHandler { tree.kill() }
    timer.schedule(deadline: .now() + Self.patience)
    timer.resume()
  }

  deinit { timer.cancel() }

  func type(_ line: String) throws {
    try typed.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Reads until so many lines were printed in all; less if the program ends.
  func read(lineCount: Int) {
    while printed.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount, readMore() {}
  }

  /// Waits until all that was typed has done its work.
  func synchronize() throws {
    let mark = Data("\"so far\"\n".utf8)
    try type("= \"so far\"")
    while !printed.suffix(mark.count).elementsEqual(mark) {
      guard readMore() else { return }
    }
    printed.removeLast(mark.count)
  }

  /// Ends its input and reads the rest; returns its exit code.
  @discardableResult
  func leave() throws -> Int32 {
    try typed.fileHandleForWriting.close()
    while readMore() {}
    timer.cancel()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func readMore() -> Bool {
    let more = shown.fileHandleForReading.availableData
    printed += more
    return !more.isEmpty
  }
}
