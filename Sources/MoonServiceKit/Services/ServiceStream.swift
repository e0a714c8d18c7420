/// A stream of values, which Lua iterates.
package final class ServiceStream: Sendable {
  /// The number of values that sources which can't be made to wait should keep for a script.
  package static let bufferCountMax = 100

  private let channel = ServiceChannel<ServiceResult>()
  private let inlet: HeldMemory.Inlet
  private let producer: _Concurrency.Task<Void, Never>

  init<Source: AsyncSequence & Sendable>(
    _ source: Source, in memory: HeldMemory
  ) where Source.Element == ServiceResult {
    let inlet = HeldMemory.Inlet(into: memory)
    self.inlet = inlet
    producer = _Concurrency.Task { [channel] in
      do {
        var elements = source.makeAsyncIterator()
        // Nothing is read while there is no room, so that each stream has one value too many at
        // most.
        while try await memory.hasRoom(for: inlet), let element = try await elements.next() {
          let share = try await memory.admit(element.byteCount, through: inlet)
          await channel.send(element.held(by: share))
        }
        channel.finish()
      } catch {
        channel.fail(error)
      }
    }
  }

  /// Returns the next value; nil at the end.
  fileprivate func next() async throws -> ServiceResult? {
    try await inlet.awaiting { try await channel.next() }
  }

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
