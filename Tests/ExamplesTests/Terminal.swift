import Foundation
import MoonTestSupport

/// A program that is typed to through a pipe, and what it has printed.
///
/// It ends with this object at the latest.
final class Terminal {
  private let child: ChildProcess
  private let typed = DescriptorPipe()
  private let shown = DescriptorPipe()

  /// What it has printed as far as it was read, without marks.
  private(set) var output = ""

  /// Starts `moonwire` in the directory of the package.
  init(_ arguments: [String]) throws {
    child = try ChildProcess(
      Command.products.appending(path: "moonwire").path, arguments,
      environment: Command.environment, directory: Command.root.path,
      streams: (typed.reading, shown.writing, shown.writing))
    typed.closeReading()
    shown.closeWriting()
  }

  func type(_ line: String) throws { try typed.write("\(line)\n") }

  /// Reads until so many lines were printed in all; less if the program ends.
  func read(lineCount: Int) {
    while output.utf8.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount {
      let line = shown.read(upTo: "\n")
      guard !line.isEmpty else { return }
      output += line + "\n"
    }
  }

  /// Waits until all that was typed has done its work.
  func synchronize() throws {
    try type("= \"so far\"")
    output += shown.read(upTo: "\"so far\"\n")
  }

  /// Ends its input and reads the rest; returns its exit code.
  @discardableResult
  func leave() throws -> Int32 {
    typed.closeWriting()
    output += shown.read()
    return child.wait()
  }
}
