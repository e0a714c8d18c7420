import Foundation
import MoonFiles
import MoonTestSupport
import Testing

struct WatchTreeTests {
  /// Whatever is done to the directory, each difference between a scan before and a scan after must
  /// have been told: the scans are the model.
  @Test(arguments: 0..<300) func `what two scans tell apart was told`(seed: UInt64) throws {
    let folder = try ScriptFolder()
    var generator = SplitMix64(seed: seed)
    for _ in 0..<20 { try? folder.act(at: random(in: &generator), &generator) }
    let observation = try Observation(of: folder)
    for round in 0..<20 {
      let before = try folder.directory.scan()
      observation.log.clear()
      for _ in 0..<15 { try? folder.act(at: random(in: &generator), &generator) }
      try folder.save("fence.lua", "\(round)")
      #expect(observation.log.hasChanged("fence.lua"), "seed \(seed), round \(round)")
      let after = try folder.directory.scan()
      let told = observation.log.changed
      // A directory that went is told without what was in it.
      let untold = differences(before, after).subtracting(told).filter { path in
        !told.contains { path.hasPrefix($0 + "/") }
      }
      #expect(untold.isEmpty, "seed \(seed), round \(round)")
    }
  }

  private func differences(
    _ before: ScriptDirectory.Listing, _ after: ScriptDirectory.Listing
  ) -> Set<String> {
    let problems = Set(before.problems.map(\.path))
    return Set(Set(before.entries).symmetricDifference(after.entries).map(\.path))
      .union(problems.symmetricDifference(after.problems.map(\.path)))
  }

  /// A path of few possible ones, so that the actions meet.
  private func random(in generator: inout SplitMix64) -> String {
    let names = ["a", "b", "c"]
    let depth = Int.random(in: 0...2, using: &generator)
    let directories = (0..<depth).compactMap { _ in names.randomElement(using: &generator) }
    let name = ["a", "b", "x.lua", "y.lua", ".z"].randomElement(using: &generator) ?? "a"
    return (directories + [name]).joined(separator: "/")
  }
}

extension ScriptFolder {
  /// Does something to the path; throws if it can't be done there, which is no matter.
  fileprivate func act(at path: String, _ generator: inout SplitMix64) throws {
    let others = ["a", "b", "a/b", "c/a", "x.lua", "b/y.lua", "a/b/x.lua", "../parked", "c"]
    let other = others.randomElement(using: &generator) ?? "a"
    switch generator.below(12) {
    case 0..<4:
      let count = generator.below(99)
      try save(path, String(repeating: "x", count: count))
    case 4..<6: try makeDirectory(path)
    case 6: try remove(path)
    case 7: try rename(path, other)
    case 8: try rename(other, path)
    case 9..<11: try makeLink(path, to: self.path(other))
    default:
      try save(path + ".tmp", "tmp")
      try rename(path + ".tmp", path)
    }
  }
}
