import MoonPrompt
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonCommand

/// The meaning and the effect of `--limit`.
@Suite(.ownThread) struct LimitTests {
  static let good: [(text: String, module: String?, what: LimitSetting.Kind, amount: Int)] = [
    ("counter:reducer=50ms", "counter", .time(.reducer), 50), ("load=2s", nil, .time(.load), 2_000),
    ("m:middleware=1S", "m", .time(.middleware), 1_000), ("observer=off", nil, .time(.observer), 0),
    ("hook=1000000000ms", nil, .time(.hook), 1_000_000_000),
    ("memory=512kb", nil, .memory, 512 << 10),
    ("m:memory=16MB", "m", .memory, 16 << 20), ("memory=2GB", nil, .memory, 2 << 30),
    ("m:faults=3", "m", .faults, 3), ("faults=off", nil, .faults, 0),
    ("m:tasks=5", "m", .tasks, 5), ("tasks=off", nil, .tasks, 0), ("life=2s", nil, .life, 2_000),
    ("m:guard=1s", "m", .guardTime, 1_000),
    ("effect=20ms", nil, .time(.effect), 20),
  ]

  @Test(arguments: good)
  func `a limit is read as what it says`(
    text: String, module: String?, what: LimitSetting.Kind, amount: Int
  ) throws {
    let setting = try LimitSetting(parsing: text)
    #expect(setting.module?.text == module)
    #expect(setting.kind == what)
    #expect(setting.amount == amount)
  }

  static let bad: [(text: String, said: String)] = [
    ("memory", "write [module:]what=amount"), ("", "write [module:]what=amount"),
    ("*:memory=1MB", "for all modules leave the name out"),
    ("1x:memory=1MB", "'1x' can't be a module's name"), (":memory=1MB", "'' can't be a module's"),
    ("memroy=1MB", "there is no limit 'memroy'; did you mean memory?"),
    ("m:=1MB", "there is no limit '': there are load, reducer"),
    ("memory=16", "'16' can't be an amount of memory: write one such as 16MB, or off"),
    ("memory=16ms", "write one such as 16MB"), ("reducer=1h", "write one such as 50ms"),
    ("reducer=0ms", "'0ms' can't be"), ("reducer=-1s", "'-1s' can't be"),
    ("reducer=", "'' can't be"), ("load=1.5s", "write one such as 2s"),
    ("memory=99999999999999999999GB", "can't be an amount"), ("faults=3x", "such as 20"),
    ("memory=1000000001KB", "can't be an amount"), ("reducer=٣ms", "can't be an amount"),
  ]

  @Test(arguments: bad)
  func `what is no limit is refused with a sentence`(text: String, said: String) throws {
    let error = #expect(throws: LimitError.self) { try LimitSetting(parsing: text) }
    #expect(try #require(error).description.contains(said))
  }

  @Test(arguments: ["run", "check"])
  func `wrong usage is code 64`(command: String) throws {
    let result = try Program.run([command, "a", "--limit", "memroy=1MB"])
    #expect(result.code == 64)
    #expect(
      result.errors.contains("--limit 'memroy=1MB': there is no limit 'memroy'; did you mean"))
  }

  @Test(arguments: LimitSetting.Kind.allCases)
  func `each limit reaches its place, of a module and of all`(what: LimitSetting.Kind) throws {
    let unit = what.units[0].name
    let name = try #require(ModuleName("m"))
    var one = HostOptions()
    try LimitSetting(parsing: "m:\(what.rawValue)=7\(unit)").set(in: &one)
    #expect(one.budgets == Budgets())
    #expect(one.memoryQuota == HostOptions.moduleMemoryQuota)
    let limits = try #require(one.limits[name])
    var all = HostOptions()
    try LimitSetting(parsing: "\(what.rawValue)=7\(unit)").set(in: &all)
    #expect(all.limits.isEmpty)
    let time = Duration.milliseconds(7)
    switch what {
    case .time(let kind):
      #expect(limits.budgets[kind] == time && all.budgets[kind] == time)
    case .memory: #expect(limits.memoryQuota == 7 << 10 && all.memoryQuota == 7 << 10)
    case .state: #expect(limits.stateQuota == 7 << 10 && all.stateQuota == 7 << 10)
    case .faults: #expect(limits.faultsMax == 7 && all.faultsMax == 7)
    case .tasks: #expect(limits.tasksMax == 7 && all.tasks.countMax == 7)
    case .life: #expect(limits.taskLife == time && all.tasks.lifeMax == time)
    case .guardTime: #expect(limits.guardTime == time && all.tasks.guardTimeMax == time)
    }
  }

  private static let greedy = """
    return { state = {}, reducers = {
      spin = function() while true do end end,
      grow = function() local t = {} for i = 1, 200000 do t[i] = i end end,
      fail = function() error("no") end,
    } }
    """

  @Test func `a limit holds for its module and no other`() throws {
    let folder = try ScriptFolder(["a.lua": Self.greedy, "b.lua": Self.greedy])
    let result = try Program.run(
      [
        "run", folder.root, "--keep-going", "--limit", "reducer=60ms", "--limit",
        "a:reducer=30ms", "--limit", "a:memory=2MB", "--limit", "b:faults=2", "--limit",
        "c:memory=1MB",
      ],
      input: "a/spin\na/grow\nb/grow\nb/spin\nb/fail\n")
    let errors = result.errors
    #expect(errors.contains("reducer a/spin of module a ran longer than 30 ms"))
    #expect(errors.contains("reducer b/spin of module b ran longer than 60 ms"))
    #expect(errors.contains("reducer a/grow of module a (generation 2) used more than 2 MB"))
    #expect(!errors.contains("b/grow"))
    // The exceeded budget counts as several faults.
    #expect(
      errors.contains(
        "module b is suspended: 1 of its last 50 calls failed, the latest in its reducer b/spin"))
    #expect(
      errors.contains("warning: there is no module c yet: its limits wait for it"))
  }

  @Test func `a module may be given more than the others`() throws {
    let folder = try ScriptFolder(["a.lua": Self.greedy, "b.lua": Self.greedy])
    let result = try Program.run(
      ["run", folder.root, "--keep-going", "--limit", "memory=2MB", "--limit", "b:memory=off"],
      input: "a/grow\nb/grow\n")
    #expect(result.errors.contains("module a used more than 2 MB of memory"))
    #expect(!result.errors.contains("b/grow"))
  }
}
