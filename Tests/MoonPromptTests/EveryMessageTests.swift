import MoonTerminal
import MoonTestSupport
import Testing

@testable import MoonPrompt
@testable import Moonwire

/// Every message is in plain words and names its subject.
struct EveryMessageTests {
  @Test(arguments: ["outOfMemory", "Optional(5)", "FilesError", "notFound(path: x)", "Swift.Int"])
  func `what only a program would say is recognised`(text: String) {
    #expect(CodeWords.are(in: "it has \(text) here"))
  }

  private func expectWords(
    _ report: Report, _ named: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = report.text(.plain)
    #expect(report.headline.count > 8, sourceLocation: sourceLocation)
    #expect(text.contains(named), "\(named) in: \(text)", sourceLocation: sourceLocation)
    #expect(!CodeWords.are(in: text), "\(text)", sourceLocation: sourceLocation)
  }

  private static let denied = SystemError(code: 13)

  static let files: [(FilesError, String)] = [
    (.rootMissing(path: "/a/b"), "/a/b"),
    (.rootNotDirectory(path: "/a/b"), "/a/b isn't a directory"),
    (.rootUnreadable(path: "/a/b", cause: denied), "/a/b can't be read: Permission denied"),
    (.refusedPath(path: "x", fault: .empty), "'x' is empty"),
    (.refusedPath(path: "/x", fault: .absolute), "'/x' begins with a slash"),
    (.refusedPath(path: "../x", fault: .parentComponent), "'../x' has a '..'"),
    (.refusedPath(path: "./x", fault: .notNormalized), "'./x' has an empty part"),
    (.refusedPath(path: "x", fault: .nulByte), "'x' has a NUL byte"),
    (
      .leavesRoot(path: "x.lua", target: "/etc/y"),
      "x.lua leads out of the script directory, to /etc"
    ),
    (.notFound(path: "x.lua"), "x.lua"),
    (.notRegularFile(path: "x.lua", kind: .regular), "x.lua is a file"),
    (.notRegularFile(path: "x.lua", kind: .directory), "x.lua is a directory"),
    (.notRegularFile(path: "x.lua", kind: .symbolicLink), "x.lua is a symbolic link"),
    (.notRegularFile(path: "x.lua", kind: .special), "x.lua is a device"),
    (.tooLarge(path: "x.lua", size: 9, limit: 8), "x.lua has 9 bytes, 8 are allowed"),
    (.unreadable(path: "x.lua", cause: denied), "x.lua can't be read: Permission denied"),
    (.watcherUnavailable(path: "/a/b", cause: denied), "/a/b can't be watched"),
  ]

  @Test(arguments: files)
  func `what is wrong with files`(error: FilesError, named: String) {
    expectWords(error.startReport, named)
    expectWords(error.lossReport, named)
    expectWords(error.watchReport, named)
    let problem = ModuleProblem(
      module: nil, place: SourcePlace(file: "x.lua"), reason: .unreadable(error))
    expectWords(problem.report, named)
  }

  static let skipped: [(ScriptDirectory.Problem.Reason, String)] = [
    (.tooLarge(size: 9, limit: 8), "9 bytes"), (.unreadable(denied), "Permission denied"),
    (.danglingLink(target: "../y.lua"), "a symbolic link to ../y.lua, and there is nothing there"),
    (.leavesRoot(target: "/etc"), "/etc"), (.leavesRoot(target: "/etc"), "--follow-links DIR"),
    (.linkLoop(target: "a/b"), "leads back to a/b"),
    (.notRegularFile, "isn't a regular file"), (.nameNotUTF8, "UTF-8"), (.tooDeep(limit: 16), "16"),
    (.tooManyFiles(limit: 99), "99 files"), (.tooManyDirectories(limit: 98), "98 directories"),
    (.tooManyFilesInFolder(limit: 97), "97 files"),
    (.tooManyDirectoriesInFolder(limit: 96), "96 directories"),
  ]

  @Test(arguments: skipped)
  func `what is left out of the listing`(reason: ScriptDirectory.Problem.Reason, named: String) {
    let problem = ModuleProblem(
      module: nil, place: SourcePlace(file: "odd.lua"), reason: .skipped(reason))
    expectWords(problem.report, named)
    expectWords(problem.report, "odd.lua can't be used")
  }

  static let problems: [(ModuleProblem.Reason, String)] = [
    (.invalidName("2x"), "'2x'"), (.invalidName("host"), "the host itself uses that name"),
    (.nameTaken(others: []), "in Swift"), (.nameTaken(others: ["a.lua"]), "also in a.lua"),
    (.returned("a number"), "a number"), (.unknownKey("reducer", nearest: "reducers"), "reducers?"),
    (.unknownKey("x", nearest: nil), "x"),
    (.renamedKey("start", to: "on_start"), "'start' of module m is called 'on_start' now"),
    (.wrongKind(key: "state", expected: "a table", found: "a number"), "state of module m is"),
    (.invalidPattern(key: "actions", text: "a b"), "'a b'"),
    (.invalidPattern(key: "reducers", text: "a b"), "todo/*"),
    (.invalidFieldType(key: "actions.add.by", text: "int"), "'int'"),
    (.invalidPath(key: "observe", text: "a..b"), "'a..b'"),
    (.invalidRedaction("token"), "auth.token"),
    (.invalidScope(text: "stat:*", .unknownKind("stat", nearest: "state")), "'state'"),
    (.nothingNeeded(key: "reduce_all", kind: .state), "reduce_all"),
    (.notDerived(.set, .noFields), "no fields"),
    (.notDerived(.set, .wrongName("a b")), "'a b'"),
    (.tooManyRoutes, "too many patterns"),
    (.invalidOption(key: "routes", .wrongDuration(kind: "push", -1)), "not -1"),
    (.invalidScreens(key: "lifecycle.on", text: "a/"), "'a/'"),
    (.invalidParent(key: "routes", text: "/x", .itself), "the route itself"),
    (.invalidParent(key: "routes", text: "/x(/y)", .manyForms), "more than one URL"),
    (.invalidParent(key: "routes", text: "/:a", .missingParameter("a", known: ["b"])), ": :b"),
    (.unstorable(path: "state.f", what: "a function"), "state.f"),
  ]

  @Test(arguments: problems)
  func `what is wrong with a module`(reason: ModuleProblem.Reason, named: String) {
    let problem = ModuleProblem(
      module: ModuleName("m"), place: SourcePlace(file: "m.lua", line: 3), reason: reason)
    expectWords(problem.report, named)
    expectWords(problem.report, "m.lua:3")
    #expect(
      ModuleProblem.reports([problem], running: 4)[0].text(.plain).contains("generation 4 of m"))
    #expect(ModuleProblem.reports([problem], running: nil)[0].text(.plain).contains("m isn't in"))
  }

  static let reasons: [(Fault.Reason, String)] = [
    (.raised("attempt to call a nil value (global 'f')"), "no function 'f'"),
    (.raised("attempt to index a nil value (global 'x')"), "nothing was ever assigned to 'x'"),
    (.raised("attempt to index a nil value (method 'm')"), "is it a field, called with a dot"),
    (.raised("oops"), "oops"), (.syntax("near <eof>", isIncomplete: true), "ends too early"),
    (.syntax("near x", isIncomplete: false), "has a syntax error"),
    (.timedOut(milliseconds: 50), "50 ms"),
    (.interrupted, "was stopped"), (.outOfQuota(bytes: 3 << 20), "more than 3 MB"),
    (.outOfQuota(bytes: 512 << 10), "more than 512 KB"), (.outOfMemory, "no memory left"),
    (.notRunning, "isn't running"),
  ]

  @Test(arguments: reasons)
  func `how a registration fails`(reason: Fault.Reason, named: String) {
    for kind in RegistrationKind.allCases {
      for module in ["counter", "prompt"] {
        let fault = Fault(
          module: module, generation: 2, registration: Registration(kind, "counter/add"),
          reason: reason, place: SourcePlace(file: "counter.lua", line: 3), frames: [])
        let report = fault.report
        expectWords(report, named)
        expectWords(report, module == "prompt" ? "what was typed" : "module counter")
        #expect(DispatchError.fault(fault).report == report)
        #expect(!CodeWords.are(in: DispatchError.fault(fault).description))
      }
    }
  }

  static let refusals: [(DispatchError, String)] = [
    (.reservedForHost("host/started"), "host/started"),
    (
      .notGranted(type: "timeline/reset", .notNeeded(.storage, ModuleName(literal: "cart"))),
      "timeline/reset"
    ),
    (.batchTooLong(count: 300, max: 256), "300 actions"), (.malformedType("a b"), "'a b'"),
    (.unknownType("x/y", nearest: nil), "x/y"), (.notFinished("it was cancelled"), "cancelled"),
    (.queueFull(max: 7), "7 actions"), (.queueTooLarge(maxBytes: 64 << 20), "64 MB"),
    (.memoryFull(.memoryFull(max: 64 << 20)), "64 MB"),
    (.followingTooLong(max: .seconds(7), dropped: 3), "3 more"),
    (.tooManyFollowing(max: 8, dropped: 0), "8 others"), (.displaced(max: 9), "9 actions"),
    (.interrupted, "stopped"), (.noSession, "closed"), (.timeline(.noStep(7)), "#7"),
    (.notKept(JournalError("j", .full)), "this isn't kept: j: there is no room left"),
  ]

  @Test(arguments: refusals)
  func `why an action isn't carried out`(error: DispatchError, named: String) throws {
    expectWords(error.report, named)
    let name = try #require(ModuleName("a"))
    let hook = Registration(.onStart, "on_start", place: SourcePlace(file: "a.lua"))
    let failure = FollowingFailure(
      Action("counter/add"), error, by: BoundRegistration(hook, of: name))
    expectWords(failure.report, "counter/add")
    if error != .interrupted { expectWords(failure.report, "a.lua") }
    #expect(error.description.contains(named))
    #expect(!CodeWords.are(in: error.description))
  }

  static let json: [ParseError.Reason] = [
    .unexpectedEnd, .unexpectedByte(UInt8(ascii: "x")), .unexpectedByte(7), .trailingText,
    .invalidNumber, .invalidEscape, .loneSurrogate, .controlCharacter(1), .invalidUTF8,
    .duplicateKey("k"), .depthExceeded(max: 64), .nodeCountExceeded(max: 5),
    .byteCountExceeded(max: 6),
  ]

  @Test(arguments: json) func `why a text is no JSON`(reason: ParseError.Reason) {
    expectWords(PromptLineError(reason: .notJSON(reason), column: 4).report, "column 4: ")
  }

  static let paths: [PathError] = [
    .unexpectedEnd(column: 2), .unexpectedByte(UInt8(ascii: "!"), column: 2),
    .invalidString(.invalidEscape, column: 2), .invalidIndex(column: 2), .tooManyComponents(max: 9),
  ]

  @Test(arguments: paths) func `why a text is no path`(error: PathError) {
    let line = PromptLineError(reason: .notAPath("a!", error), column: 9)
    expectWords(line.report, "column 9: 'a!' isn't a path: ")
  }

  @Test func `what the system refuses`() throws {
    let name = try #require(ModuleName("counter"))
    expectWords(HostError.noThread.report, "no thread left")
    expectWords(HostError.nameTaken(name).report, "counter")
    expectWords(HostError.refusedState(name, .tooLarge(max: 1 << 20)).report, "more than 1 MB")
    for (limit, words) in [
      (MemoryShortage.Limit.addressSpace, "ulimit -v"), (.controlGroup, "the control group"),
    ] {
      for quotaMax in [0, 12 << 20] {
        let shortage = MemoryShortage(
          limit: limit, bytesLeft: 1 << 28, bytesNeeded: 1 << 30, quota: 1 << 26,
          quotaMax: quotaMax)
        expectWords(HostError.tooLittleMemory(shortage).report, words)
      }
    }
    #expect(Report.notices(endsEveryCall: true).isEmpty)
    for notice in Report.notices(endsEveryCall: false) { expectWords(notice, "can't be ended") }
    expectWords(Report("\(OutputError.closed)"), "nobody reads")
    expectWords(Report("\(OutputError.failed(code: 28))"), "No space left")
    expectWords(Report("\(LineReadError.lineTooLong(byteCountMax: 77))"), "77 bytes")
    expectWords(Report("\(LineReadError.unreadable(code: 21))"), "Is a directory")
    expectWords(HistoryError.unreadable(path: "/h", code: 13).report, "/h: Permission denied")
    expectWords(HistoryError.unwritable(path: "/h", code: 28).report, "/h: No space left")
    for setting in ["fs.inotify.max_user_watches", nil] {
      expectWords(
        DirectoryWatcher.Notice.pollingInstead(
          cause: Self.denied, setting: setting, interval: .milliseconds(500)
        ).report, "every 500 ms")
    }
  }
}
