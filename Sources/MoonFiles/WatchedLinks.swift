/// The symbolic links in the watched tree, and the watches on their ways.
///
/// What a link leads to can change without a record under the link's own name: the target is saved,
/// or a directory or another link on the way to it is exchanged. So every directory in which a
/// name of the way is looked up is watched, those outside the root and hidden ones included.
struct WatchedLinks {
  /// How many links are looked after; each costs a watch for each directory on its way.
  static let linkCountMax = 1000

  private var links: [WatchedName: Link] = [:]
  /// By the watch of a directory: the names of the links in it.
  private var names: [Int32: Set<String>] = [:]
  /// By watch and name: the links on whose way the name is looked up.
  private var passers: [Int32: [String: Set<WatchedName>]] = [:]

  private struct Link {
    var way: Set<WatchedName> = []
    var counts = false
  }

  /// The watches on directories that are on the way of a link.
  var watches: Set<Int32> { Set(passers.keys) }

  /// Whether the directory of this watch is on the way of a link.
  func pass(_ watch: Int32) -> Bool {
    passers[watch] != nil
  }

  /// The links on whose way the name is looked up.
  func passing(_ name: WatchedName) -> Set<WatchedName> {
    passers[name.watch]?[name.name] ?? []
  }

  /// The links on whose way a name in the directory of this watch is looked up.
  func passing(_ watch: Int32) -> Set<WatchedName> {
    passers[watch]?.values.reduce(into: []) { $0.formUnion($1) } ?? []
  }

  /// Watches the way of a link, each directory before a name is looked up in it: a change of the
  /// way is either seen by whoever follows the link after this, or has a record in the queue.
  ///
  /// Of a link that is known, ways add up until it is removed: one of its paths may have led to
  /// another link while it was looked at.
  ///
  /// - Throws: A ``SystemError`` that means exhaustion; directories that can't be watched for
  ///   other reasons are passed over.
  mutating func watchWay(
    of link: WatchedName, at path: PathBytes, within confines: Confines, in queue: WatchQueue
  ) throws(SystemError) {
    guard links[link] != nil || links.count < Self.linkCountMax else { return }
    links[link, default: Link()].way.formUnion([])
    names[link.watch, default: []].insert(link.name)
    guard var way = LinkWay(of: path) else { return }
    while let step = way.step {
      do {
        // Contents outside are never read, so their changes don't matter.
        let mask = confines.contains(step.directory) ? WatchQueue.mask : WatchQueue.outerMask
        let watch = try queue.add(step.directory, mask)
        links[link]?.way.insert(WatchedName(watch: watch, name: step.name))
        passers[watch, default: [:]][step.name, default: []].insert(link)
      } catch {
        if error.meansExhausted { throw error }
      }
      way.look()
    }
  }

  /// Notes whether somebody may know of the link; see ``DirectoryWalk/Link/counts``.
  mutating func note(_ link: WatchedName, counts: Bool) {
    if counts { links[link]?.counts = true }
  }

  /// Whether the link counted at any look since it is known.
  func counts(_ link: WatchedName) -> Bool {
    links[link]?.counts == true
  }

  /// - Returns: The watches that are on no link's way any more.
  mutating func remove(_ link: WatchedName) -> Set<Int32> {
    guard let old = links.removeValue(forKey: link) else { return [] }
    names[link.watch]?.remove(link.name)
    if names[link.watch]?.isEmpty == true { names[link.watch] = nil }
    for name in old.way {
      passers[name.watch]?[name.name]?.remove(link)
      if passers[name.watch]?[name.name]?.isEmpty == true {
        passers[name.watch]?[name.name] = nil
      }
      if passers[name.watch]?.isEmpty == true { passers[name.watch] = nil }
    }
    return Set(old.way.map(\.watch)).filter { passers[$0] == nil }
  }

  /// Removes the links that lie in the directory of this watch.
  ///
  /// - Returns: The watches that are on no link's way any more.
  mutating func removeAll(in watch: Int32) -> Set<Int32> {
    (names[watch] ?? []).reduce(into: []) { unused, name in
      unused.formUnion(remove(WatchedName(watch: watch, name: name)))
    }
  }
}

/// A name in a watched directory, whatever paths lead there.
struct WatchedName: Hashable {
  let watch: Int32
  let name: String
}
