import Glibc
import MoonTestSupport
import Synchronization
import Testing

@testable import MoonFiles

/// Each difference between two scans is reported between them, whatever changes.
///
/// The scans are the model.
@Suite(.ownThread) struct WatchTreeTests {
  @Test func `what two scans tell apart was told`() {
    let failure = Fuzzing("watch", cases: 30, caseSecondsMax: 60).firstFailure(make: seed) {
      seed, _ in
      check(seed, watchedByThread)
    }
    #expect(failure == nil)
  }

  /// Anything can change between two steps of the watcher, and a scan may run then.
  @Test func `what happens while the watcher looks around is told`() {
    let failure = Fuzzing("watch-steps", cases: 30, caseSecondsMax: 60).firstFailure(make: seed) {
      seed, _ in
      check(seed, watchedByStep)
    }
    #expect(failure == nil)
  }

  private func watchedByThread(_ folder: ScriptFolder, _ mischief: inout Mischief) throws -> String?
  {
    let observation = try Observation(of: folder)
    for round in 0..<20 {
      let before = try folder.directory.scan()
      observation.log.clear()
      for _ in 0..<15 { mischief.act(in: folder) }
      try folder.save("fence.lua", "\(round)")
      guard observation.log.hasChanged("fence.lua") else { return "round \(round): it is deaf" }
      let untold = try folder.directory.scan().untold(since: before, observation.log.changed)
      guard untold.isEmpty else { return "round \(round): \(untold) wasn't told" }
    }
    return nil
  }

  private func watchedByStep(_ folder: ScriptFolder, _ mischief: inout Mischief) throws -> String? {
    let storm = Storm(in: folder, mischief)
    let tree = try WatchTree(folder.directory, kernel: storm.kernel)
    for round in 0..<5 {
      storm.begin(actions: 15)
      repeat {
        storm.strike()
        storm.tell(try tree.takeEvents())
      } while tree.hasNews || storm.goesOn
      if let failure = try storm.untold() { return "round \(round): \(failure)" }
    }
    return nil
  }

  private func seed(_ generator: inout SplitMix64) -> [UInt8] {
    withUnsafeBytes(of: generator.next()) { Array($0) }
  }

  private func check(
    _ seed: [UInt8], _ watched: (ScriptFolder, inout Mischief) throws -> String?
  ) -> String? {
    do {
      let folder = try ScriptFolder()
      var mischief = Mischief(seed: seed.reduce(0) { $0 << 8 | UInt64($1) })
      for _ in 0..<20 { mischief.act(in: folder) }
      return try watched(folder, &mischief)
    } catch {
      return "\(error)"
    }
  }
}

extension WatchTree {
  fileprivate var hasNews: Bool {
    var queue = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&queue, 1, 0) > 0
  }
}

/// Changes and scans that happen just before and after a watcher's calls to the system.
private final class Storm: Sendable {
  private let folder: ScriptFolder
  private let state: Mutex<State>

  private struct State {
    var mischief: Mischief
    var actionsLeft = 0
    /// The reports, one for each event.
    var told: [Set<String>] = []
    /// The scans, each with the number of reports until then.
    var scans: [(listing: ScriptDirectory.Listing, told: Int)] = []
  }

  init(in folder: ScriptFolder, _ mischief: Mischief) {
    self.folder = folder
    state = Mutex(State(mischief: mischief))
  }

  var kernel: Kernel {
    var kernel = Kernel()
    kernel.addWatch = { [self, real = kernel.addWatch] queue, path, mask in
      strike()
      defer { strike() }
      return real(queue, path, mask)
    }
    kernel.readQueue = { [self, real = kernel.readQueue] queue, buffer in
      strike()
      defer { strike() }
      return real(queue, buffer)
    }
    return kernel
  }

  var goesOn: Bool { state.withLock { $0.actionsLeft > 0 } }

  func begin(actions: Int) {
    state.withLock { $0.actionsLeft = actions }
  }

  func strike() {
    state.withLock { state in
      while state.actionsLeft > 0, state.mischief.generator.once(in: 3) {
        state.actionsLeft -= 1
        state.mischief.act(in: folder)
      }
      if state.scans.isEmpty || state.mischief.generator.once(in: 20),
        let listing = try? folder.directory.scan()
      {
        state.scans.append((listing, state.told.count))
      }
    }
  }

  func tell(_ events: [DirectoryWatcher.Event]) {
    state.withLock { state in
      for case .changed(let paths) in events { state.told.append(paths) }
    }
  }

  /// Returns a sentence about a change that wasn't reported after one of the scans.
  func untold() throws -> String? {
    let now = try folder.directory.scan()
    return state.withLock { state in
      defer {
        state.scans = [(now, 0)]
        state.told = []
      }
      for (number, scan) in state.scans.enumerated() {
        let told = state.told[scan.told...].reduce(into: Set()) { $0.formUnion($1) }
        let untold = now.untold(since: scan.listing, told)
        guard untold.isEmpty else {
          return "\(untold.sorted()) wasn't told after scan \(number) of \(state.scans.count)"
        }
      }
      return nil
    }
  }
}

extension ScriptDirectory.Listing {
  /// Returns the differences from an earlier listing that weren't reported.
  fileprivate func untold(since before: Self, _ told: Set<String>) -> Set<String> {
    let problems = Set(self.problems.map(\.path))
    let differences = Set(Set(entries).symmetricDifference(before.entries).map(\.path))
      .union(problems.symmetricDifference(before.problems.map(\.path)))
    // A removed directory is reported without its contents.
    return differences.subtracting(told).filter { path in
      !told.contains { path.hasPrefix($0 + "/") }
    }
  }
}

/// Random changes to a few paths, so that they interact.
private struct Mischief {
  var generator: SplitMix64

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// Makes a random change.
  ///
  /// A change that isn't possible is skipped.
  mutating func act(in folder: ScriptFolder) {
    try? act(in: folder, at: path())
  }

  private mutating func act(in folder: ScriptFolder, at path: String) throws {
    let inside = generator.pick([
      "a", "b", "a/b", "c/a", "x.lua", "b/y.lua", "a/b/x.lua", "c", ".z", ".z/a",
    ])
    let other = generator.once(in: 11) ? "../parked" : inside
    switch generator.below(14) {
    case 0..<4: try folder.save(path, String(repeating: "x", count: generator.below(99)))
    case 4..<6: try folder.makeDirectory(path)
    case 6: try folder.remove(path)
    case 7: try folder.rename(path, other)
    case 8: try folder.rename(other, path)
    case 9..<11: try folder.makeLink(path, to: folder.path(other))
    case 11: try folder.makeLink(path, to: inside)
    // Never above the test's own folder, since files are saved through links.
    case 12: try folder.makeLink(path, to: folder.path("c") + "/../" + inside)
    default:
      try folder.save(path + ".tmp", "tmp")
      try folder.rename(path + ".tmp", path)
    }
  }

  private mutating func path() -> String {
    let depth = generator.below(3)
    let directories = (0..<depth).map { _ in generator.pick(["a", "b", "c", ".z"]) }
    let name = generator.pick(["a", "b", "x.lua", "y.lua", ".z"])
    return (directories + [name]).joined(separator: "/")
  }
}
