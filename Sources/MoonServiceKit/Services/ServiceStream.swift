/// A stream of values, which Lua iterates.
public final class ServiceStream: Sendable {
  /// The number of values that sources which can't be made to wait should keep for a script.
  public static let bufferCountMax = 100

  private let channel = ServiceChannel<ServiceResult>()
  private let producer: _Concurrency.Task<Void, Never>

  init<Source: AsyncSequence & Sendable>(_ source: Source) where Source.Element == ServiceResult {
    producer = _Concurrency.Task { [channel] in
      do {
        for try await element in source { await channel.send(element) }
        channel.finish()
      } catch {
        channel.fail(error)
      }
    }
  }

  /// Returns the next value; nil at the end.
  fileprivate func next() async throws -> ServiceResult? { try await channel.next() }

  fileprivate func close() {
    producer.cancel()
    channel.finish()
  }

  /// The declaration of streams.
  static let handle = ServiceHandle<ServiceStream>(
    "stream", "Values that arrive over time.",
    methods: [
      .asynchronous("next", "Waits for the next value; nil at the end.", returns: "any") {
        _, stream in try await stream.next() ?? .nothing
      }
    ],
    closing: { $0.close() })
}
