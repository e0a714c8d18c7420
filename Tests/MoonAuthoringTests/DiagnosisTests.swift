import MoonTerminal
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonAuthoring

/// What `moonwire doctor` says about a machine.
struct DiagnosisTests {
  /// A machine without faults.
  private static var facts: MachineFacts {
    var facts = MachineFacts(
      ["LANG": "de_DE.utf8", "TERM": "xterm"], sockets: "/run/user/0/moonwire", data: "/srv/data")
    (facts.watchCountMax, facts.watcherCountMax, facts.columns) = (65_536, 128, 80)
    (facts.descriptorCountMax, facts.hasGit, facts.hasArchiveLibrary) = (1_024, true, true)
    let folder = MachineFacts.Directory(path: "/srv", isWritable: true, freeByteCount: 1 << 40)
    (facts.sockets, facts.data, facts.temporary) = (folder, folder, folder)
    return facts
  }

  @Test func `of a machine without faults, there is a line for each thing`() {
    let diagnoses = Diagnosis.all(about: Self.facts)
    #expect(diagnoses.allSatisfy { $0.state == .good && $0.lines(.plain).count == 1 })
    #expect(Set(diagnoses.map(\.name)).count == diagnoses.count)
  }

  private typealias Change = @Sendable (inout MachineFacts) -> Void

  private static let faults: [(name: String, what: String, help: String, change: Change)] = [
    ("watches", "100 directories", "max_user_watches", { $0.watchCountMax = 100 }),
    ("watchers", "8 programs", "max_user_instances", { $0.watcherCountMax = 8 }),
    ("locale", "LC_ALL is C", "C.UTF-8", { $0.environment["LC_ALL"] = "C" }),
    ("locale", "neither", "C.UTF-8", { $0.environment["LANG"] = "" }),
    ("terminal", "TERM is dumb", "export TERM", { $0.environment["TERM"] = "dumb" }),
    ("terminal", "40 columns", "60 columns", { $0.columns = 40 }),
    ("git", "not installed", "install git", { $0.hasGit = false }),
    ("libarchive", "not installed", "libarchive13", { $0.hasArchiveLibrary = false }),
    ("sockets", "not writable", "XDG_RUNTIME_DIR", { $0.sockets.isWritable = false }),
    ("sockets", "/srv", "chmod 700 /srv", { $0.sockets.isOpenToOthers = true }),
    ("data", "neither", "--data", { $0.data = nil }),
    ("data", "not writable", "--data", { $0.data?.isWritable = false }),
    ("space", "1 MB are free", "another disk", { $0.temporary.freeByteCount = 1 << 20 }),
    ("files", "64 can be open", "ulimit", { $0.descriptorCountMax = 64 }),
  ]

  @Test(arguments: faults.indices)
  func `each fault is named with the reason and what to do`(index: Int) {
    let fault = Self.faults[index]
    var facts = Self.facts
    fault.change(&facts)
    let wrong = Diagnosis.all(about: facts).filter { $0.state == .warning }
    #expect(wrong.map(\.name) == [fault.name])
    let text = wrong.flatMap { $0.lines(.plain) }.joined(separator: "\n")
    #expect(text.contains(fault.what) && text.contains(fault.help), "\(text)")
    #expect(text.contains("why") && wrong.first?.record["help"] != nil, "\(text)")
  }

  @Test func `what a system doesn't say isn't a fault`() {
    var facts = Self.facts
    (facts.watchCountMax, facts.watcherCountMax, facts.columns) = (nil, nil, nil)
    facts.descriptorCountMax = .max
    #expect(Diagnosis.all(about: facts).allSatisfy { $0.state == .good })
  }

  @Test func `a directory that isn't there yet counts as the one in which it would be made`() throws
  {
    let folder = try TemporaryFolder()
    let facts = MachineFacts(
      ["TMPDIR": folder.path], sockets: "\(folder.path)/a/b", data: "/proc/none/x")
    #expect(facts.sockets.isWritable && facts.sockets.freeByteCount > 0)
    #expect(facts.temporary.path == folder.path)
  }
}
