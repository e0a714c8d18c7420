/// The watches on the directories above the root: they tell when it goes, and when it is back.
///
/// A directory that is moved tells so itself, but not when one above it is moved, and a directory
/// that is removed while a process works in it tells nobody but the directory above.
struct RootSentinels {
  /// By watch: the names whose coming and going concerns the root.
  private var names: [Int32: Set<String>] = [:]

  /// Watches all directories on the way to `root` that exist.
  ///
  /// Goes from the top downward, each watched before the next is looked for: whatever is missing or
  /// exchanged, the record of its coming is in the queue.
  ///
  /// - Returns: The watches of an earlier call that serve this purpose no more.
  /// - Throws: A ``SystemError`` that means exhaustion; directories that can't be watched for
  ///   other reasons are passed over.
  mutating func arm(
    around root: String, in queue: WatchQueue
  ) throws(SystemError) -> Set<Int32> {
    let previous = Set(names.keys)
    names = [:]
    var directory = PathBytes("/")
    for component in root.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: component, as: UTF8.self)
      guard try watch(directory, for: name, in: queue) else { break }
      directory = directory.appending(name)
    }
    // Where symbolic links lead to the root, the directories above its true place count too.
    if var place = try? PathBytes(resolving: PathBytes(root)), place != PathBytes(root) {
      while place != PathBytes("/") {
        place = place.parent
        _ = try watch(place, for: nil, in: queue)
      }
    }
    return previous.subtracting(names.keys)
  }

  var watches: Set<Int32> { Set(names.keys) }

  /// Whether the record may mean that another directory, or none, is at the root's path now.
  func areConcerned(by record: InotifyRecord) -> Bool {
    guard let names = names[record.watch] else { return false }
    return record.has(InotifyRecord.ended | InotifyRecord.moved) || names.contains(record.name)
  }

  /// - Returns: False when `directory` isn't there.
  private mutating func watch(
    _ directory: PathBytes, for name: String?, in queue: WatchQueue
  ) throws(SystemError) -> Bool {
    do {
      let watch = try queue.add(directory, WatchQueue.outerMask)
      names[watch, default: []].formUnion(name.map { [$0] } ?? [])
    } catch {
      guard !error.meansExhausted else { throw error }
      return !error.meansAbsent
    }
    return true
  }
}
