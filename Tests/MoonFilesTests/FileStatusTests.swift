import Glibc
import MoonTestSupport
import Testing

@testable import MoonFiles

struct FileStatusTests {
  @Test(
    arguments: [
      (0, 0, 0), (1, 5, 1_000_000_005), (-1, 999_999_999, -1),
      (9_223_372_036, 854_775_807, .max), (9_223_372_036, 854_775_808, .max),
      (9_223_372_037, 0, .max), (1 << 40, 0, .max), (.max, 999_999_999, .max),
      (-9_223_372_036, 0, -9_223_372_036_000_000_000), (-9_223_372_037, 0, .min),
      (.min, 0, .min), (.min, 999_999_999, .min),
    ] as [(Int, Int, Int64)])
  func `a time that nanoseconds can't hold is the nearest they hold`(
    seconds: Int, rest: Int, nanoseconds: Int64
  ) {
    let time = timespec(tv_sec: seconds, tv_nsec: rest)
    #expect(FileStatus.nanoseconds(of: time) == nanoseconds)
  }

  @Test(arguments: [.min, -1, 0, 1_000_000_000, .max] as [Int64])
  func `only what was changed about now is doubted`(now: Int64) {
    #expect(FileStamp.isDoubtful(now, at: now))
    for time in [.min, -100_000_000, 500_000_000, .max] as [Int64] where time != now {
      #expect(!FileStamp.isDoubtful(time, at: now))
    }
  }

  @Test(arguments: [-1 << 40, -9_300_000_000, 9_300_000_000, 1 << 40])
  func `files of any age are listed, read and compared`(seconds: Int) throws {
    let folder = try ScriptFolder(["a.lua": "return 1"])
    // A file system that can't hold the time stores the nearest, which is fine too.
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, folder.path("a.lua"), times, 0) == 0)
    #expect(try folder.directory.scan().entries.map(\.path) == ["a.lua"])
    #expect(try folder.directory.read("a.lua").bytes == Array("return 1".utf8))
    let before = try #require(Snapshot(of: folder.directory))
    let after = try #require(Snapshot(of: folder.directory))
    #expect(before.differences(to: after).isEmpty)
  }
}
