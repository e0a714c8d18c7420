import MoonTestSupport
import Testing

@testable import MoonServices

/// The turns of transactions that are repeated, of two programs on one directory.
struct StorageTurnsTests {
  @Test func `an urgent turn makes other programs wait until it ends`() async throws {
    let folder = try TemporaryFolder()
    let owner = StorageOwner(directory: folder.path, module: "m")
    let (one, other) = (StorageTurns(secondsMax: 60), StorageTurns(secondsMax: 60))
    #expect(!other.isUrgent(owner))
    let urgent = await one.next(of: owner, isUrgent: true)
    #expect(other.isUrgent(owner) && one.isUrgent(owner))
    async let waiting = other.next(of: owner, isUrgent: false)
    one.end(urgent, of: owner)
    other.end(await waiting, of: owner)
    #expect(!one.isUrgent(owner) && !other.isUrgent(owner))
    let next = await other.next(of: owner, isUrgent: true)
    #expect(one.isUrgent(owner))
    other.end(next, of: owner)
    #expect(!one.isUrgent(owner))
  }

  @Test func `an urgent turn of one module keeps no other waiting`() async throws {
    let folder = try TemporaryFolder()
    let owner = StorageOwner(directory: folder.path, module: "m")
    let neighbour = StorageOwner(directory: folder.path, module: "n")
    let (one, other) = (StorageTurns(secondsMax: 60), StorageTurns(secondsMax: 60))
    let urgent = await one.next(of: owner, isUrgent: true)
    for turns in [one, other] {
      #expect(!turns.isUrgent(neighbour))
      // Not waited for if it is urgent, which would take a minute.
      guard !turns.isUrgent(neighbour) else { continue }
      turns.end(await turns.next(of: neighbour, isUrgent: true), of: neighbour)
    }
    one.end(urgent, of: owner)
  }

  @Test func `a turn waits no longer than the limit, and not at all where no file can be locked`()
    async throws
  {
    let folder = try TemporaryFolder()
    let owner = StorageOwner(directory: folder.path, module: "m")
    let (one, other) = (StorageTurns(secondsMax: 60), StorageTurns(secondsMax: 0.01))
    let urgent = await one.next(of: owner, isUrgent: true)
    other.end(await other.next(of: owner, isUrgent: false), of: owner)
    other.end(await other.next(of: owner, isUrgent: true), of: owner)
    #expect(other.isUrgent(owner), "the first one has it still")
    one.end(urgent, of: owner)
    let nowhere = StorageOwner(directory: folder.path + "/none", module: "m")
    let turn = await one.next(of: nowhere, isUrgent: true)
    #expect(!other.isUrgent(nowhere))
    one.end(turn, of: nowhere)
  }
}
