import Foundation
import Glibc
import Testing

@testable import MoonLua

struct MemoryAllowanceTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let files: [String: String]
    let left: Int?
  }

  static let cases: [Case] = [
    Case(testDescription: "no files", files: [:], left: nil),
    Case(
      testDescription: "no limit",
      files: [
        "/proc/self/cgroup": "0::/user\n", "/sys/fs/cgroup/user/memory.max": "max\n",
      ], left: nil),
    Case(
      testDescription: "the group's own",
      files: [
        "/proc/self/cgroup": "0::/user\n", "/sys/fs/cgroup/user/memory.max": "1000\n",
        "/sys/fs/cgroup/user/memory.stat": "anon 300\nfile 500\n",
      ], left: 700),
    Case(
      testDescription: "that of a group above",
      files: [
        "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "5000\n",
        "/sys/fs/cgroup/a/memory.max": "2000\n",
        "/sys/fs/cgroup/a/memory.stat": "file 1\nanon 500\n",
      ], left: 1500),
    Case(
      testDescription: "a container's, whose path is known outside only",
      files: [
        "/proc/self/cgroup": "0::/outside/container\n", "/sys/fs/cgroup/memory.max": "800",
      ], left: 800),
    Case(
      testDescription: "more in use than there may be",
      files: [
        "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "800",
        "/sys/fs/cgroup/memory.stat": "anon 900\n",
      ], left: 0),
    Case(
      testDescription: "version 1",
      files: [
        "/proc/self/cgroup": "5:cpu,memory:/x\n1:name=systemd:/\n0::/\n",
        "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "4096\n",
        "/sys/fs/cgroup/memory/x/memory.stat": "rss 1\ntotal_rss 96\n",
      ], left: 4000),
    Case(
      testDescription: "version 1 without a limit",
      files: [
        "/proc/self/cgroup": "4:memory:/\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
      ], left: nil),
    Case(
      testDescription: "a number that no integer holds",
      files: [
        "/proc/self/cgroup": "nonsense\n0:\n0::/\n",
        "/sys/fs/cgroup/memory.max": "99999999999999999999\n",
      ], left: nil),
  ]

  @Test(arguments: cases)
  func `the tightest limit of the control groups counts`(example: Case) {
    let found = MemoryAllowance.controlGroup { example.files[$0] ?? "" }
    #expect(found == example.left.map { MemoryAllowance(limit: .controlGroup, bytesLeft: $0) })
  }

  @Test(arguments: ["", "x 1", "-"])
  func `what isn't a number of pages is no limit`(text: String) {
    #expect(MemoryAllowance.mappedBytes(text) == nil)
  }

  @Test func `a number of pages too large for an integer is as large as one can be`() {
    #expect(MemoryAllowance.mappedBytes("9223372036854775807 1") == Int.max)
  }

  @Test func `an unlimited quota needs more than there is`() {
    #expect(MemoryAllowance.bytesNeeded(quota: .max) == .max)
    #expect(MemoryAllowance.bytesNeeded(quota: .min) == MemoryAllowance.reserveBytes)
    #expect(MemoryAllowance.bytesNeeded(quota: 1 << 20) > 1 << 20)
  }

  @Test func `a limit of address space leaves what isn't mapped`() async {
    await #expect(processExitsWith: .success) {
      let before = MemoryAllowance.current()
      let mapped = try #require(
        MemoryAllowance.mappedBytes(String(contentsOfFile: "/proc/self/statm", encoding: .utf8)))
      var limit = rlimit(rlim_cur: rlim_t(mapped + (1 << 30)), rlim_max: .max)
      limit.rlim_max = limit.rlim_cur
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      let after = try #require(MemoryAllowance.current())
      try #require(after.limit == .addressSpace || before?.limit == .controlGroup)
      try #require(after.bytesLeft <= 1 << 30 && after.bytesLeft > 1 << 28)
    }
  }
}
