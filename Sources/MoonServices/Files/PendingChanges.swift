import Moonwire
import Synchronization

/// The changes that a script hasn't read yet.
///
/// Their memory is the module's; where it is full, they become one change of kind `missed`.
final class PendingChanges: Sendable {
  /// The maximum number of paths; beyond it, they become one change of kind `missed`.
  static let countMax = 1000

  fileprivate struct Contents {
    /// The names of the directory's entries that have changed; nil stands for the requested path.
    var names: [String?] = []
    var kinds: [String?: FileChange.Kind] = [:]
    /// The number of bytes that the names take, and of those that are held for them.
    var byteCount = 0
    var heldCount = 0
    var share: HeldMemory.Share?
    var isMissed = false
    var isOver = false
    var reader: CheckedContinuation<FileChange?, Never>?
  }

  private let contents = Mutex(Contents())
  /// The requested path.
  private let path: String
  private let memory: HeldMemory

  init(_ path: String, in memory: HeldMemory) { (self.path, self.memory) = (path, memory) }

  /// Adds a change of a name in the directory; nil means the requested path.
  func add(_ kind: FileChange.Kind, _ name: String? = nil) {
    change { $0.add(name, kind, in: memory) }
  }

  /// Replaces all changes with one of kind `missed`.
  func miss() { change { $0.miss() } }

  /// Ends the sequence after the pending changes.
  func finish() { change { $0.isOver = true } }

  private func change(_ body: (inout Contents) -> Void) {
    // What is no longer held may let others in, and so goes after the lock.
    let (delivery, shares) = contents.withLock { contents in
      var shares = [contents.share]
      body(&contents)
      shares.append(contents.share)
      return (contents.delivery(self.path), shares)
    }
    if let (reader, change) = delivery { reader.resume(returning: change) }
    withExtendedLifetime(shares) {}
  }

  /// Waits for the next change; nil at the end or if the task is cancelled.
  func next() async -> FileChange? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        change { contents in
          contents.reader = reader
          if Task.isCancelled { contents.isOver = true }
        }
      }
    } onCancel: {
      finish()
    }
  }
}

extension PendingChanges.Contents {
  /// The approximate number of bytes of an entry of an array and of a dictionary.
  private static let entryByteCount = 128

  mutating func add(_ name: String?, _ kind: FileChange.Kind, in memory: HeldMemory) {
    guard !isMissed, !isOver else { return }
    guard kinds.updateValue(kind, forKey: name) == nil else { return }
    names.append(name)
    byteCount += Self.entryByteCount + (name?.utf8.count ?? 0)
    if names.count > PendingChanges.countMax || !holdsEnough(in: memory) { miss() }
  }

  /// Holds as much memory as the names take, in steps; returns false if there is no room for it.
  private mutating func holdsEnough(in memory: HeldMemory) -> Bool {
    guard byteCount > heldCount else { return true }
    let step = HeldMemory.countedBytesMin
    do throws(ServiceRefusal) {
      if let share { try share.grow(by: step) } else { share = try memory.hold(step) }
    } catch {
      return false
    }
    heldCount += step
    return true
  }

  mutating func miss() {
    (names, kinds, isMissed) = ([], [:], true)
    release()
  }

  private mutating func release() { (byteCount, heldCount, share) = (0, 0, nil) }

  /// Takes the reader and its change; nil if there is nothing to deliver.
  mutating func delivery(
    _ path: String
  ) -> (CheckedContinuation<FileChange?, Never>, FileChange?)? {
    guard let reader else { return nil }
    var change: FileChange?
    if isMissed {
      change = FileChange(path: path, kind: .missed)
      isMissed = false
    } else if let first = names.first, let kind = kinds.removeValue(forKey: first) {
      // The number of names is limited, so the shift is cheap.
      names.removeFirst()
      let full = first.map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
      change = FileChange(path: full ?? path, kind: kind)
      if names.isEmpty { release() }
    } else if !isOver {
      return nil
    }
    self.reader = nil
    return (reader, change)
  }
}
