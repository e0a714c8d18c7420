/// The symbolic links in the watched tree.
///
/// What a link leads to can change without a record under the link's own name: the target is saved,
/// or a link on the way to it is exchanged. So all links are looked at after each batch.
struct WatchedLinks {
  /// How many links are looked after; each costs a stat(2) per batch.
  static let linkCountMax = 1000

  /// The watches on the directories that the targets lie in, as far as they are in the root.
  private(set) var watches: Set<Int32> = []

  private var links: [String: Link] = [:]

  private struct Link {
    let counts: Bool
    /// The stamp of the target, nil while there is none.
    var stamp: FileStamp?
  }

  /// - Throws: A ``SystemError`` that means exhaustion.
  mutating func insert(
    _ link: DirectoryWalk.Link, below place: PathBytes, in queue: WatchQueue
  ) throws(SystemError) {
    guard links.count < Self.linkCountMax else { return }
    // The walk's stamp and no newer one: what the target became meanwhile is still to be told.
    links[link.path] = Link(counts: link.counts, stamp: link.stamp)
    guard let target = try? PathBytes(resolving: place.appending(link.path)),
      place.contains(target),
      target != place
    else { return }
    do {
      watches.insert(try queue.add(target.parent, WatchQueue.mask))
    } catch {
      if error.meansExhausted { throw error }
    }
  }

  /// Whether the path is that of a link that is in the listing, as an entry, a problem or a
  /// directory.
  func counts(_ path: String) -> Bool {
    links[path]?.counts == true
  }

  mutating func remove(within path: String) {
    for link in links.keys where ScriptName.isWithin(link, path) {
      links[link] = nil
    }
  }

  /// The links that lead to something else than at the last look, sorted.
  mutating func takeChanged(below place: PathBytes) -> [String] {
    var changed: [String] = []
    for (path, link) in links {
      let stamp = Self.stamp(of: path, below: place)
      guard link.stamp?.doubted == true || link.stamp != stamp else { continue }
      links[path]?.stamp = stamp
      changed.append(path)
    }
    return changed.sorted(by: ScriptName.precedes)
  }

  private static func stamp(of link: String, below place: PathBytes) -> FileStamp? {
    guard let status = try? FileStatus(following: place.appending(link)) else { return nil }
    return FileStamp(status)
  }
}
