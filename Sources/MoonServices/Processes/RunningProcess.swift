import Glibc
import Moonwire
import Subprocess

/// A process whose pipes the library has provided.
///
/// It is read until the process and its pipes have ended, or something ends the process early.
struct RunningProcess {
  typealias Pipes = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

  /// The part of the work that has ended.
  private enum Part: Sendable {
    case input, output, errors, process, time
    case failed(any Error)
  }

  let pipes: Pipes
  let request: ProcessRequest

  /// Passes on the output of the process until it ends.
  ///
  /// The process and its children have ended when this returns or throws.
  ///
  /// - Parameters:
  ///   - output: Called with pieces of standard output. An error that it throws ends the process.
  ///   - errors: The same for standard error.
  /// - Throws: ``ProcessFailure``, the errors of `output` and `errors`, or `CancellationError`.
  func run(
    output: @escaping @Sendable ([UInt8]) async throws -> Void,
    errors: @escaping @Sendable ([UInt8]) async throws -> Void
  ) async throws {
    let failure = await withTaskGroup(of: Part.self) { group in
      group.addTask { await write() }
      group.addTask { await read(pipes.standardOutput, .output, to: output) }
      group.addTask { await read(pipes.standardError, .errors, to: errors) }
      group.addTask {
        await ProcessEnding.wait(for: pipes)
        return .process
      }
      if let seconds = request.seconds { group.addTask { await timeOut(after: seconds) } }
      let failure = await Self.wait(for: &group)
      if failure != nil { await pipes.teardown(using: ProcessEnding.steps) }
      group.cancelAll()
      return failure
    }
    if failure != nil || Task.isCancelled { await ProcessEnding.waitForRest(of: pipes) }
    ProcessEnding.killRest(of: pipes)
    try Task.checkCancellation()
    if let failure { throw failure }
  }

  /// Waits until the process and its output have ended; returns the error for which to end them
  /// early.
  private static func wait(for group: inout TaskGroup<Part>) async -> (any Error)? {
    var left = 3
    while left > 0, let part = await group.next() {
      switch part {
      case .output, .errors, .process: left -= 1
      case .input, .time: continue
      case .failed(let error): return error
      }
    }
    return nil
  }

  /// Makes it an error to write to a program that has closed its input.
  ///
  /// By default, SIGPIPE ends the host's own process. A setting of the host's program remains.
  private static let survivesClosedPipes: Void = {
    var current = sigaction()
    guard sigaction(SIGPIPE, nil, &current) == 0, current.__sigaction_handler.sa_handler == nil
    else { return }
    signal(SIGPIPE, SIG_IGN)
  }()

  private func write() async -> Part {
    Self.survivesClosedPipes
    // A program needn't read its input. If it does, it notices that the rest is missing.
    _ = try? await pipes.standardInputWriter.write(request.input)
    try? await pipes.standardInputWriter.finish()
    return .input
  }

  private func read(
    _ pipe: SubprocessOutputSequence, _ part: Part,
    to body: @Sendable ([UInt8]) async throws -> Void
  ) async -> Part {
    do {
      for try await piece in pipe { try await body(piece.withUnsafeBytes { Array($0) }) }
      return part
    } catch {
      return .failed(error)
    }
  }

  private func timeOut(after seconds: Double) async -> Part {
    do {
      try await Task.sleep(for: .seconds(seconds))
      return .failed(ProcessFailure.timedOut(request.name, seconds: seconds))
    } catch {
      return .time
    }
  }
}

extension ProcessRequest {
  /// Runs the program to its end and returns how it ended.
  ///
  /// - Throws: ``ProcessFailure``, and the errors of `output` and `errors`.
  func run(
    output: @escaping @Sendable ([UInt8]) async throws -> Void,
    errors: @escaping @Sendable ([UInt8]) async throws -> Void
  ) async throws -> TerminationStatus {
    do {
      return try await Subprocess.run(
        configuration, input: .inputWriter, output: .sequence, error: .sequence
      ) { pipes in
        try await RunningProcess(pipes: pipes, request: self).run(output: output, errors: errors)
      }.terminationStatus
    } catch let error as SubprocessError {
      throw ProcessFailure(error, name, directory: directory)
    }
  }
}
