/// The symbolic links in the watched tree, and the watches on the directories they pass through.
///
/// The target of a link can change without a record under the link's own name: when the target is
/// saved, or when a directory or another link on its path is replaced. So every directory in which
/// a name is looked up to resolve the link is watched, including hidden ones and those outside the
/// root.
struct WatchedLinks {
  /// The maximum number of links watched.
  ///
  /// Each costs a watch for every directory on its path.
  static let linkCountMax = 1000

  private var links: [WatchedName: Link] = [:]
  /// By the watch of a directory, the names of the links in it.
  private var names: [Int32: Set<String>] = [:]
  /// By watch and name, the links whose resolution looks up the name.
  private var passers: [Int32: [String: Set<WatchedName>]] = [:]

  private struct Link {
    var way: Set<WatchedName> = []
    var counts = false
  }

  /// The watches on directories that links pass through.
  var watches: Set<Int32> { Set(passers.keys) }

  /// Returns whether a link passes through the directory of this watch.
  func pass(_ watch: Int32) -> Bool {
    passers[watch] != nil
  }

  /// Returns the links whose resolution looks up the name.
  func passing(_ name: WatchedName) -> Set<WatchedName> {
    passers[name.watch]?[name.name] ?? []
  }

  /// Returns the links whose resolution looks up a name in the directory of this watch.
  func passing(_ watch: Int32) -> Set<WatchedName> {
    passers[watch]?.values.reduce(into: []) { $0.formUnion($1) } ?? []
  }

  /// Watches the directories that a link passes through, each before a name is looked up in it.
  ///
  /// A change is therefore either visible to code that follows the link after this call, or has a
  /// record in the queue.
  ///
  /// For a known link, directories accumulate until it is removed, since one of its paths may have
  /// led to another link during the call.
  ///
  /// - Throws: A ``SystemError`` that means exhaustion. Directories that can't be watched for other
  ///   reasons are skipped.
  mutating func watchWay(
    of link: WatchedName, at path: PathBytes, within confines: AllowedDirectories,
    in queue: WatchQueue
  ) throws(SystemError) {
    guard links[link] != nil || links.count < Self.linkCountMax else { return }
    links[link, default: Link()].way.formUnion([])
    names[link.watch, default: []].insert(link.name)
    guard var way = LinkResolution(of: path) else { return }
    while let step = way.step {
      do {
        // Files outside are never read, so changes of their contents don't matter.
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

  /// Records whether the link may be known to the receiver; see ``DirectoryWalk/Link/counts``.
  mutating func note(_ link: WatchedName, counts: Bool) {
    if counts { links[link]?.counts = true }
  }

  /// Returns whether the link has counted in any check since it became known.
  func counts(_ link: WatchedName) -> Bool {
    links[link]?.counts == true
  }

  /// Removes a link.
  ///
  /// - Returns: The watches that no link needs now.
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

  /// Removes the links in the directory of this watch.
  ///
  /// - Returns: The watches that no link needs now.
  mutating func removeAll(in watch: Int32) -> Set<Int32> {
    (names[watch] ?? []).reduce(into: []) { unused, name in
      unused.formUnion(remove(WatchedName(watch: watch, name: name)))
    }
  }
}

/// A name in a watched directory, independent of the paths that lead there.
struct WatchedName: Hashable {
  let watch: Int32
  let name: String
}
