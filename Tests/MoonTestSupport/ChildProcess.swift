import Foundation
import Glibc

/// A program that a test runs to its end.
///
/// It starts as from a shell: with no signal blocked or ignored, whatever thread of the tests' it
/// is that starts it, and with no descriptors but the three. When the run is over, nothing that
/// the program has started is left, unless that has made itself a daemon.
package struct ChildProcess {
  /// What a run left.
  package struct Result: Sendable {
    package let output: String
    package let errors: String
    /// Its exit code; 128 and the signal's number if a signal ended it.
    package let code: Int32
  }

  /// How a program's results and errors are read.
  package enum Reading: Sendable {
    /// Each for itself.
    case apart
    /// Both as the output, in the order in which they were written.
    case together
  }

  /// How long a run may take before it counts as hanging.
  package static let patience: Duration = .seconds(60)

  /// Runs a program on some input, and waits until it has ended.
  ///
  /// - Parameters:
  ///   - words: The program, a path or a name that is looked up in `PATH`, and its arguments.
  ///   - input: What it reads from its standard input, which then ends.
  ///   - environment: All that it finds in its environment beside `PATH` and `TMPDIR`.
  ///   - reading: Whether its results and errors come together.
  /// - Returns: What it has printed, and how it has ended.
  /// - Throws: `POSIXError` when it can't be started, ``Hanging`` when it doesn't end.
  package static func run(
    _ words: [String], input: String = "", environment: [String: String] = [:],
    reading: Reading = .apart
  ) throws -> Result {
    var pipes = try Pipes(reading)
    let id = try pipes.spawn(words, environment.merging(kept) { own, _ in own })
    let isOver = pipes.exchange(input: input, until: .now + patience)
    if !isOver { ProcessTree(of: id).kill() }
    let code = try end(of: id)
    // Its group bears its number, which nobody gets as long as one of the group is there.
    if killpg(id, SIGKILL) == 0 { ProcessTree.waitForEnd(ofGroup: id) }
    let result = Result(output: pipes.output, errors: pipes.errors, code: code)
    guard isOver else { throw Hanging(words: words, result: result) }
    return result
  }

  /// What every program gets of this machine's environment.
  ///
  /// By `TMPDIR` `scripts/test` recognizes what has been left running.
  private static var kept: [String: String] {
    let own = ProcessInfo.processInfo.environment
    var kept = ["PATH": own["PATH"] ?? "/usr/bin:/bin"]
    kept["TMPDIR"] = own["TMPDIR"]
    return kept
  }

  private static func end(of id: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECHILD) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

/// A program that didn't end in time, and was killed.
package struct Hanging: Error, CustomStringConvertible {
  package let words: [String]
  package let result: ChildProcess.Result

  package var description: String {
    "\(words) doesn't end; so far it has printed\n\(result.output)\nand as errors\n\(result.errors)"
  }
}
