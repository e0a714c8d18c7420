import Synchronization

/// The notes that a test's Swift modules take, in order.
final class Notes: Sendable {
  private let notes = Mutex<[String]>([])

  var all: [String] { notes.withLock { $0 } }

  func clear() { notes.withLock { $0 = [] } }

  func add(_ note: String) { notes.withLock { $0.append(note) } }
}
