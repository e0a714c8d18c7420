import Moonwire
import Subprocess
import Synchronization

/// The lines that a process writes: an asynchronous sequence.
///
/// The process waits while the script is busy with a line. It ends with the last reference to this
/// object.
final class ProcessLines: AsyncSequence, Sendable {
  typealias Element = ServiceResult

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let lines: ProcessLines

    func next() async throws -> ServiceResult? { try await lines.channel.next() }
  }

  private let channel: ServiceChannel<ServiceResult>
  private let producer: Task<Void, Never>

  /// Starts the program.
  ///
  /// - Throws: ``ProcessFailure/tooMany(max:)``.
  init(
    _ request: ProcessRequest, _ registrations: ProcessRegistrations, _ call: ServiceCall
  ) throws(ProcessFailure) {
    let channel = ServiceChannel<ServiceResult>()
    self.channel = channel
    producer = try registrations.start(for: call) {
      do {
        try await Self.run(request, channel)
        channel.finish()
      } catch {
        channel.fail(error)
      }
    }
  }

  deinit { producer.cancel() }

  func makeAsyncIterator() -> Iterator { Iterator(lines: self) }

  /// Runs the program and sends its lines.
  ///
  /// - Throws: ``ProcessFailure``, even if only the program reports a failure.
  private static func run(
    _ request: ProcessRequest, _ channel: ServiceChannel<ServiceResult>
  ) async throws {
    let splitter = Mutex(LineSplitter())
    let errors = LastErrors()
    let status = try await request.run(
      output: { piece in
        if Task.isCancelled { return }
        guard let lines = splitter.withLock({ $0.lines(adding: piece) }) else {
          throw ProcessFailure.lineTooLong(request.name, max: LineSplitter.bytesMax)
        }
        // Read to its end nevertheless, since the program may write something before it ends. A
        // send to nobody doesn't wait, so all these lines would take a thread that others need.
        for line in lines where !Task.isCancelled { await channel.send(.bytes(line)) }
      }, errors: { errors.add($0) })
    let rest = splitter.withLock { $0.rest }
    if !rest.isEmpty { await channel.send(.bytes(rest)) }
    switch status {
    case .exited(0): return
    case .exited(let code):
      throw ProcessFailure.exited(request.name, status: Int(code), errors: errors.text)
    case .signaled(let signal):
      throw ProcessFailure.ended(
        request.name, signal: ProcessEnding.name(ofSignal: Int(signal)), errors: errors.text)
    }
  }
}
