import Synchronization

/// The changes that a script hasn't read yet.
final class PendingChanges: Sendable {
  /// The maximum number of paths; beyond it, they become one change of kind `missed`.
  static let countMax = 1000

  fileprivate struct Contents {
    var paths: [String] = []
    var kinds: [String: FileChange.Kind] = [:]
    var isMissed = false
    var isOver = false
    var reader: CheckedContinuation<FileChange?, Never>?
  }

  private let contents = Mutex(Contents())
  /// The requested path.
  private let path: String

  init(_ path: String) { self.path = path }

  /// Adds a change of a name in the directory; nil means the requested path.
  func add(_ kind: FileChange.Kind, _ name: String? = nil) {
    change { contents in
      let path = name.map { self.path.hasSuffix("/") ? self.path + $0 : self.path + "/" + $0 }
      contents.add(path ?? self.path, kind)
    }
  }

  /// Replaces all changes with one of kind `missed`.
  func miss() { change { $0.miss() } }

  /// Ends the sequence after the pending changes.
  func finish() { change { $0.isOver = true } }

  private func change(_ body: (inout Contents) -> Void) {
    let delivery = contents.withLock { contents in
      body(&contents)
      return contents.delivery(self.path)
    }
    if let (reader, change) = delivery { reader.resume(returning: change) }
  }

  /// Waits for the next change; nil at the end or if the task is cancelled.
  func next() async -> FileChange? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let delivery = contents.withLock { contents in
          contents.reader = reader
          if Task.isCancelled { contents.isOver = true }
          return contents.delivery(path)
        }
        if let (reader, change) = delivery { reader.resume(returning: change) }
      }
    } onCancel: {
      finish()
    }
  }
}

extension PendingChanges.Contents {
  mutating func add(_ path: String, _ kind: FileChange.Kind) {
    guard !isMissed, !isOver else { return }
    if kinds.updateValue(kind, forKey: path) == nil { paths.append(path) }
    if paths.count > PendingChanges.countMax { miss() }
  }

  mutating func miss() {
    (paths, kinds, isMissed) = ([], [:], true)
  }

  /// Takes the reader and its change; nil if there is nothing to deliver.
  mutating func delivery(
    _ path: String
  ) -> (CheckedContinuation<FileChange?, Never>, FileChange?)? {
    guard let reader else { return nil }
    var change: FileChange?
    if isMissed {
      change = FileChange(path: path, kind: .missed)
      isMissed = false
    } else if let first = paths.first, let kind = kinds.removeValue(forKey: first) {
      // The number of paths is limited, so the shift is cheap.
      paths.removeFirst()
      change = FileChange(path: first, kind: kind)
    } else if !isOver {
      return nil
    }
    self.reader = nil
    return (reader, change)
  }
}
