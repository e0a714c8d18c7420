import Foundation
import Glibc
import MoonTestSupport

/// A `moonwire` process that is typed to line by line, and its output.
///
/// The process ends with this object at the latest.
final class Terminal {
  private let child: ChildProcess
  private let typed = DescriptorPipe()
  private let shown = DescriptorPipe()
  private var printed: [UInt8] = []

  /// The output read so far, without marks.
  var output: String { String(decoding: printed, as: UTF8.self) }

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

  /// Reads until the output has this number of lines; fewer if the program ends.
  func read(lineCount: Int) {
    while printed.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount, readMore() {}
  }

  /// Waits until all typed lines are done.
  func synchronize() throws {
    let mark = Array("\"so far\"\n".utf8)
    try type("= \"so far\"")
    while printed.suffix(mark.count) != mark[...] {
      guard readMore() else { return }
    }
    printed.removeLast(mark.count)
  }

  /// Ends its input and reads the rest; returns its exit code.
  @discardableResult
  func leave() -> Int32 {
    typed.closeWriting()
    while readMore() {}
    return child.wait()
  }

  /// Reads the next piece; returns false at the end.
  ///
  /// If nothing comes for too long, the program hangs and is killed.
  private func readMore() -> Bool {
    var source = pollfd(fd: shown.reading, events: Int16(POLLIN), revents: 0)
    var count: Int32 = -1
    repeat {
      count = poll(&source, 1, Int32(ProgramRun.secondsMax) * 1_000)
    } while count < 0 && errno == EINTR
    guard count > 0 else {
      child.end()
      return false
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let byteCount = Glibc.read(shown.reading, &chunk, chunk.count)
    printed += chunk.prefix(max(0, byteCount))
    return byteCount > 0
  }
}
