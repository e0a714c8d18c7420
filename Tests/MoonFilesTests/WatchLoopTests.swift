import Dispatch
import Glibc
import MoonTestSupport
import Synchronization
import Testing

@testable import MoonFiles

@Suite(.ownThread) struct WatchLoopTests {
  private let folder: ScriptFolder
  private let log = WatchEventLog()

  init() throws {
    folder = try ScriptFolder()
    try folder.makeDirectory("lib")
    try folder.save("lib/a.lua", "1")
  }

  @Test(arguments: [
    (EMFILE, "fs.inotify.max_user_instances"), (ENOSYS, nil), (ENOMEM, nil),
  ])
  func `without a queue it says so once, and polls`(code: Int32, setting: String?) throws {
    var kernel = Kernel()
    kernel.openQueue = { -code }
    let watcher = try start(kernel)
    try expectPolling(after: code, setting, firstEvents: [])
    watcher.stop()
  }

  @Test(arguments: [(ENOSPC, "fs.inotify.max_user_watches"), (ENOMEM, nil)])
  func `without watches at the start it polls`(code: Int32, setting: String?) throws {
    let root = PathBytes(folder.root)
    var kernel = Kernel()
    kernel.addWatch = { [real = kernel.addWatch] queue, path, mask in
      root.contains(path) ? -code : real(queue, path, mask)
    }
    let watcher = try start(kernel)
    try expectPolling(after: code, setting, firstEvents: [])
    watcher.stop()
  }

  @Test func `running out of watches under way it polls, and asks for a scan`() throws {
    let unlucky = PathBytes(folder.path("new"))
    var kernel = Kernel()
    kernel.addWatch = { [real = kernel.addWatch] queue, path, mask in
      path == unlucky ? -ENOSPC : real(queue, path, mask)
    }
    let watcher = try start(kernel)
    try folder.save("lib/a.lua", "22")
    #expect(log.hasChanged("lib/a.lua"))
    log.clear()
    try folder.makeDirectory("new")
    try expectPolling(
      after: ENOSPC, "fs.inotify.max_user_watches", firstEvents: [.rescan(.switchedToPolling)])
    watcher.stop()
  }

  @Test func `a queue that can't be read any more leads to polling`() throws {
    let failing = Flag()
    var kernel = Kernel()
    kernel.readQueue = { [real = kernel.readQueue] queue, buffer in
      failing.isSet ? -Int(EIO) : real(queue, buffer)
    }
    let watcher = try start(kernel)
    failing.set()
    try folder.save("lib/a.lua", "22")
    try expectPolling(after: EIO, nil, firstEvents: [.rescan(.switchedToPolling)])
    watcher.stop()
  }

  @Test func `an event that waits for delivery is dropped when the one before it stops`() throws {
    let holder = Mutex<DirectoryWatcher?>(nil)
    let prepared = DispatchSemaphore(value: 0)
    var kernel = Kernel()
    kernel.openQueue = { -EMFILE }
    try folder.remove("")
    let watcher = try DirectoryWatcher(
      folder.directory, mode: .automatic, pollInterval: .milliseconds(1), kernel: kernel
    ) { [log] event in
      prepared.wait()
      holder.withLock { $0 }?.stop()
      log.add(event)
    }
    holder.withLock { $0 = watcher }
    prepared.signal()
    prepared.signal()
    #expect(log.wait { !log.all.isEmpty })
    watcher.stop()
    holder.withLock { $0 = nil }
    #expect(log.all.count == 1)
    #expect(!log.all.contains(.rescan(.rootVanished)))
  }

  @Test func `a polling watcher that was asked for gives no notice`() throws {
    let watcher = try start(Kernel(), .polling)
    try folder.save("lib/a.lua", "22")
    #expect(log.hasChanged("lib/a.lua"))
    watcher.stop()
    #expect(!log.all.contains { if case .notice = $0 { true } else { false } })
  }

  @Test func `polling notices a file that becomes a problem, and one that stops being one`() throws
  {
    let watcher = try start(Kernel(), .polling)
    try folder.save("a.lua", bytes: [UInt8](repeating: 32, count: ScriptDirectory.fileSizeMax + 1))
    #expect(log.hasChanged("a.lua"))
    log.clear()
    try folder.save("a.lua")
    #expect(log.hasChanged("a.lua"))
    watcher.stop()
  }

  @Test func `polling notices saves of the same size within one tick of the clock`() throws {
    let lastSeen = Mutex("")
    let watcher = try DirectoryWatcher(
      folder.directory, mode: .polling, pollInterval: .milliseconds(1)
    ) { [log, directory = folder.directory] event in
      let bytes = (try? directory.read("a.lua").bytes) ?? []
      lastSeen.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
      log.add(event)
    }
    for number in 100..<400 { try folder.save("a.lua", "\(number)") }
    #expect(log.wait { lastSeen.withLock { $0 } == "399" })
    watcher.stop()
  }

  @Test func `after an overflow a scan is asked for, and what was missed is watched`() throws {
    let overflowing = Flag()
    var kernel = Kernel()
    kernel.readQueue = { [real = kernel.readQueue] queue, buffer in
      let count = real(queue, buffer)
      guard count > 0, overflowing.isSet else { return count }
      overflowing.clear()
      // As in the kernel, the records are lost, and one without a watch reports that.
      buffer.storeBytes(of: -1, toByteOffset: 0, as: Int32.self)
      buffer.storeBytes(of: UInt32(IN_Q_OVERFLOW), toByteOffset: 4, as: UInt32.self)
      buffer.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
      return MemoryLayout<inotify_event>.size
    }
    let watcher = try start(kernel)
    overflowing.set()
    try folder.makeDirectory("missed")
    #expect(log.has(.rescan(.overflow)))
    try folder.save("missed/b.lua")
    try folder.save("lib/a.lua", "22")
    #expect(log.hasChanged("missed/b.lua", "lib/a.lua"))
    watcher.stop()
    #expect(!log.changed.contains("missed"))
  }

  private func start(
    _ kernel: Kernel, _ mode: DirectoryWatcher.Mode = .automatic
  ) throws -> DirectoryWatcher {
    try DirectoryWatcher(
      folder.directory, mode: mode, pollInterval: .milliseconds(10), kernel: kernel
    ) { [log] in log.add($0) }
  }

  private func expectPolling(
    after code: Int32, _ setting: String?, firstEvents: [DirectoryWatcher.Event]
  ) throws {
    let notice = DirectoryWatcher.Event.notice(
      .pollingInstead(
        cause: SystemError(code: code), setting: setting, interval: .milliseconds(10)))
    let first = [notice] + firstEvents
    #expect(log.wait { log.all.count >= first.count })
    #expect(Array(log.all.prefix(first.count)) == first)
    try folder.save("lib/b.lua")
    #expect(log.hasChanged("lib/b.lua"))
    try folder.remove("lib")
    #expect(log.hasChanged("lib", "lib/a.lua", "lib/b.lua"))
    try folder.remove("")
    #expect(log.has(.rescan(.rootVanished)))
    try folder.makeDirectory("")
    #expect(log.has(.rescan(.rootReturned)))
    #expect(log.all.count { $0 == notice } == 1)
  }
}

/// A flag for closures on other threads.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  func set() {
    value.store(true, ordering: .sequentiallyConsistent)
  }

  func clear() {
    value.store(false, ordering: .sequentiallyConsistent)
  }
}
