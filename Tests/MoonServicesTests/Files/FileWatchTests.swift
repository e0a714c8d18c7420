import MoonServices
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonServices

/// `moon.files.watch`, and the changes that wait for a script.
@Suite(.timeLimit(.minutes(5))) struct FileWatchTests {
  /// Starts an effect that tells each change of `path`, and waits until it watches.
  private func watching(_ path: String, _ files: [String: String]) async throws -> EffectBench {
    let bench = try await EffectBench(
      """
      local changes <close> = moon.files.watch("\(path)")
      tell("watching")
      for change in changes do tell(change.kind, change.path) end
      tell("over")
      """, services: [.files], needs: ["read:data/"], in: try ScriptFolder(files))
    try await bench.start()
    try await bench.wait(forTold: 1)
    return bench
  }

  @Test func `what is saved, made, renamed and removed in a directory is told`() async throws {
    let bench = try await watching("data", ["data/old": ""])
    func next(_ change: () throws -> Void) async throws -> [String] {
      let count = try await bench.told().count
      try change()
      try await bench.wait(forTold: count + 1)
      return Array(try await bench.told().dropFirst(count))
    }
    #expect(try await next { try bench.folder.save("data/a", "x") } == ["changed data/a"])
    #expect(try await next { try bench.folder.makeDirectory("data/d") } == ["changed data/d"])
    #expect(try await next { try bench.folder.makeLink("data/l", to: "a") } == ["changed data/l"])
    #expect(try await next { try bench.folder.remove("data/old") } == ["removed data/old"])
    try bench.folder.rename("data/a", "data/b")
    try await bench.wait(forTold: 7)
    #expect(try await bench.told().suffix(2) == ["removed data/a", "changed data/b"])
    await bench.host.close()
  }

  @Test func `one file is watched by its name`() async throws {
    let bench = try await watching("data/a", ["data/a": ""])
    try bench.folder.save("data/b", "")
    try bench.folder.saveAsEmacs("data/a", "new")
    try await bench.wait(forTold: 2)
    #expect(try await bench.told() == ["watching", "changed data/a"])
    await bench.host.close()
  }

  @Test func `what moon.files writes is one change`() async throws {
    let bench = try await EffectBench(
      """
      local changes <close> = moon.files.watch("data/")
      moon.files.write("data/a", "x")
      local change = changes:next()
      tell(change.kind, change.path)
      moon.files.remove("data/a")
      change = changes:next()
      tell(change.kind, change.path)
      """, services: [.files], needs: ["read:data/", "write:data/"],
      in: try ScriptFolder(["data/b": ""]))
    try await bench.start()
    let told = try await bench.finish()
    #expect(told == ["changed data/a", "removed data/a"])
    await bench.host.close()
  }

  @Test func `what moon.files writes is one change while programs are started`() async throws {
    let bench = try await EffectBench(
      """
      local changes <close> = moon.files.watch("data/")
      local starting = moon.spawn(function()
        while true do moon.processes.run { "true" } end
      end)
      for i = 1, 40 do
        moon.files.write("data/" .. i, "x")
        local change = changes:next()
        if change.path ~= "data/" .. i then tell(i, change.path) end
      end
      starting:cancel()
      tell("over")
      """, services: [.files, .processes], needs: ["read:data/", "write:data/", "run:true"],
      in: try ScriptFolder(["data/b": ""]))
    try await bench.start()
    #expect(try await bench.finish() == ["over"])
    await bench.host.close()
  }

  @Test(arguments: ["removed", "moved", "moved with its parent"])
  func `the changes end when the directory is gone`(how: String) async throws {
    let bench = try await watching("data/x/y", ["data/x/y/a": ""])
    switch how {
    case "removed": try bench.folder.remove("data/x/y")
    case "moved": try bench.folder.rename("data/x/y", "y")
    default:
      try bench.folder.rename("data/x", "x")
      try bench.folder.save("x/y/secret", "")
    }
    let told = try await bench.finish()
    #expect(told.suffix(2) == ["removed data/x/y", "over"])
    #expect(!told.contains { $0.contains("secret") })
    await bench.host.close()
  }

  @Test func `two watches of a directory don't disturb each other`() async throws {
    let bench = try await EffectBench(
      """
      local one = moon.files.watch("data")
      local two = moon.files.watch("data")
      one:close()
      local waiting = moon.spawn(function() tell(two:next().path) end)
      tell("ready")
      waiting:await()
      """, services: [.files], needs: ["read:data/"], in: try ScriptFolder(["data/a": ""]))
    try await bench.start()
    try await bench.wait(forTold: 1)
    try bench.folder.save("data/a", "x")
    try await bench.wait(forTold: 2)
    #expect(try await bench.told() == ["ready", "data/a"])
    await bench.host.close()
  }

  @Test func `changes that wait are one a path, the latest`() async throws {
    let changes = PendingChanges("data", in: HeldMemory(bytesMax: 1 << 20))
    changes.add(.changed, "a")
    changes.add(.changed, "b")
    changes.add(.removed, "a")
    changes.finish()
    var read: [String] = []
    while let change = await changes.next() { read.append("\(change.kind) \(change.path)") }
    #expect(read == ["removed data/a", "changed data/b"])
  }

  @Test func `more changes than may wait become one that says so`() async throws {
    let changes = PendingChanges("data", in: HeldMemory(bytesMax: 1 << 20))
    for number in 0...PendingChanges.countMax { changes.add(.changed, "\(number)") }
    changes.add(.changed, "more")
    let first = try #require(await changes.next())
    #expect(first.kind == .missed)
    #expect(first.path == "data")
    changes.add(.changed, "later")
    changes.finish()
    #expect(await changes.next()?.path == "data/later")
    #expect(await changes.next()?.path == nil)
  }

  @Test func `changes that wait are held for their module, and given back`() async throws {
    let memory = HeldMemory(bytesMax: 100_000)
    let watches = (0..<10).map { _ in PendingChanges("data", in: memory) }
    let name = String(repeating: "n", count: 240)
    for number in 0..<100 {
      for changes in watches { changes.add(.changed, "\(name)\(number)") }
    }
    #expect((50_000...100_000).contains(memory.bytes))
    var kinds: Set<FileChange.Kind> = []
    for changes in watches {
      changes.finish()
      while let change = await changes.next() { kinds.insert(change.kind) }
    }
    #expect(kinds == [.changed, .missed])
    #expect(memory.bytes == 0)
  }
}
