import Foundation
import GRDB
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// The file of the storage: its permissions, damage, and what else uses it.
@Suite(.timeLimit(.minutes(2))) struct StorageFileTests {
  /// A fresh service for each host, so that each opens the file anew.
  private func bench(
    _ effect: String, data: TemporaryFolder? = nil, directory: String? = nil
  ) async throws -> StorageBench {
    var limits = StorageLimits()
    limits.busySecondsMax = 0.05
    return try await StorageBench(
      effect, data: data, directory: directory, services: [.storage(limits: limits)])
  }

  /// Returns the bits of a file's permissions.
  private func permissions(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  private func names(_ bench: StorageBench) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(bench.data.path)/data").sorted()
  }

  @Test func `only the owner can read the file and its directory`() async throws {
    let bench = try await bench("storage.set('a', 1)")
    try await bench.go()
    #expect(try permissions("\(bench.data.path)/data") == 0o700)
    for name in try names(bench) {
      #expect(try permissions("\(bench.data.path)/data/\(name)") == 0o600, "\(name)")
    }
  }

  @Test func `a file that others can read is closed to them`() async throws {
    let data = try TemporaryFolder()
    let first = try await bench("storage.set('a', 1)", data: data)
    try await first.go()
    chmod(first.file, 0o644)
    let second = try await bench("tell(storage.get 'a')", data: data)
    #expect(try await second.go() == ["1"])
    #expect(try permissions(first.file) == 0o600)
  }

  @Test(arguments: [Array("this is no database".utf8), Array(repeating: 7, count: 9000)])
  func `a broken file is kept under another name, and a new one begun`(
    content: [UInt8]
  ) async throws {
    let data = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(data.path)/data", withIntermediateDirectories: false)
    let bench = try await bench("storage.set('a', 1) tell(storage.get 'a')", data: data)
    try Data(content).write(to: URL(filePath: bench.file))
    #expect(try await bench.go() == ["1"])
    let kept = "\(bench.file).damaged-1"
    #expect(try Data(contentsOf: URL(filePath: kept)) == Data(content))
    #expect(bench.warnings.all.count == 1)
    #expect(bench.warnings.all.first?.contains("was damaged. It is kept as \(kept)") ?? false)
  }

  @Test func `a file that is cut off in the middle of a run is kept, and the run goes on`()
    async throws
  {
    let bench = try await bench(
      """
      if payload ~= true then
        for i = 1, 200 do storage.set("key" .. i, ("x"):rep(1000)) end
      else
        local done, problem = pcall(storage.list, { limit = 1000 })
        tell(done or problem.code == "damaged")
        tell(#storage.keys(), code(storage.set, "a", 1), storage.get "a")
      end
      """)
    try await bench.go()
    // The log is emptied first, so that the file alone has the entries.
    let queue = try DatabaseQueue(path: bench.file)
    try await queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
    let full = try Data(contentsOf: URL(filePath: bench.file))
    #expect(full.count > 200_000)
    let handle = try FileHandle(forWritingTo: URL(filePath: bench.file))
    try handle.truncate(atOffset: UInt64(full.count / 2))
    try handle.close()
    #expect(try await bench.go(true) == ["true", "0 none 1"])
    #expect(bench.warnings.all.count == 1, "\(bench.warnings.all)")
    #expect(try names(bench).contains("storage.sqlite.damaged-1"))
  }

  @Test func `the database of another program is left alone`() async throws {
    let data = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(data.path)/data", withIntermediateDirectories: false)
    let bench = try await bench("tell(code(storage.get, 'a'))", data: data)
    let queue = try DatabaseQueue(path: bench.file)
    try await queue.write { try $0.execute(sql: "CREATE TABLE mine (n INTEGER)") }
    #expect(try await bench.go() == ["foreign"])
    #expect(try await queue.read { try $0.tableExists("mine") })
    #expect(bench.warnings.all == [])
  }

  @Test func `a file of a newer version is left alone`() async throws {
    let data = try TemporaryFolder()
    let first = try await bench("storage.set('a', 1)", data: data)
    try await first.go()
    let queue = try DatabaseQueue(path: first.file)
    try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
    let second = try await bench("tell(code(storage.get, 'a'))", data: data)
    #expect(try await second.go() == ["newer"])
  }

  @Test func `a file that another program is writing to is an error after a while`() async throws {
    let bench = try await bench(
      "if payload ~= true then storage.set('a', 1) else tell(storage.get 'a', code(storage.set, 'a', 2)) end"
    )
    try await bench.go()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(path: bench.file, configuration: configuration)
    try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(try await bench.go(true) == ["1 locked"])
    try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try await bench.go(true) == ["1 locked", "1 none"])
  }

  @Test func `another program that is opening the file for too long is an error`() async throws {
    let data = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(data.path)/data", withIntermediateDirectories: false)
    let lock = open("\(data.path)/data/storage.lock", O_RDWR | O_CREAT, 0o600)
    defer { close(lock) }
    flock(lock, LOCK_EX)
    let bench = try await bench("tell(code(storage.get, 'a'))", data: data)
    #expect(try await bench.go() == ["locked"])
  }

  @Test(arguments: [("/proc/none/data", "unavailable"), ("", "unavailable")])
  func `a directory that can't be made is an error`(directory: String, code: String) async throws {
    let bench = try await bench("tell(code(storage.set, 'a', 1))", directory: directory)
    #expect(try await bench.go() == [code])
  }

  @Test
  func `a file in the place of the directory, or a directory in that of the file, is an error`()
    async throws
  {
    let data = try TemporaryFolder()
    try Data().write(to: URL(filePath: "\(data.path)/file"))
    let effect = "tell(code(storage.set, 'a', 1))"
    let first = try await bench(effect, data: data, directory: "\(data.path)/file/data")
    #expect(try await first.go() == ["unavailable"])
    try FileManager.default.createDirectory(
      atPath: "\(data.path)/data/storage.sqlite", withIntermediateDirectories: true)
    let second = try await bench(effect, data: data)
    #expect(try await second.go() == ["unavailable"])
  }

  @Test func `a host without a data directory says so`() async throws {
    var options = HostOptions()
    options.services = [.storage]
    options.grants.allowed = [Grants.Rule(.storage)]
    let folder = try ScriptFolder(["m.lua": StorageBench.module("tell(code(storage.get, 'a'))")])
    let host = try Host(directory: folder.root, options: options)
    try await host.load()
    let session = await host.openSession()
    try await host.dispatch(Action("m/go"), to: session)
    _ = await host.waitForTasks(in: session, within: .seconds(60))
    let told = try await host.state(of: session)?.value(at: Path(parsing: "m.told"))
    #expect(told == ["unavailable"])
  }

  @Test func `a file that is removed while the host runs is made again`() async throws {
    let bench = try await bench("storage.set('a', 1) tell(storage.usage().count)")
    try await bench.go()
    try FileManager.default.removeItem(atPath: "\(bench.data.path)/data")
    #expect(try await bench.go() == ["1", "1"])
  }

  @Test func `an entry that isn't a value is an error that names it`() async throws {
    let bench = try await bench(
      "if payload ~= true then storage.set('a', 1) else tell(select(2, pcall(storage.get, 'a')).reason) end"
    )
    try await bench.go()
    let queue = try DatabaseQueue(path: bench.file)
    try await queue.write { try $0.execute(sql: "UPDATE entries SET value = x'7b'") }
    #expect(
      try await bench.go(true) == ["moon.storage.get: what is stored under 'a' isn't a value"])
  }

  @Test func `sixteen damaged files are told apart`() async throws {
    let data = try TemporaryFolder()
    for number in 1...16 {
      let bench = try await bench("tell(storage.get 'a')", data: data)
      try FileManager.default.createDirectory(
        atPath: "\(data.path)/data", withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: bench.file + "-wal")
      try Data("damage \(number), long enough for a header".utf8).write(
        to: URL(filePath: bench.file))
      #expect(try await bench.go() == ["nil"])
      #expect(
        try String(contentsOfFile: "\(bench.file).damaged-\(number)", encoding: .utf8).hasPrefix(
          "damage \(number),"))
    }
  }
}
