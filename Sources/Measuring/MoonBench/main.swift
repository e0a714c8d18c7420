// Runs one measurement and prints it as lines of JSON; `scripts/bench` runs it beside its peers.
//
//   MoonBench dispatch A|B|C|D N [unlimited|timeline]   peer, workload, n, wall_s, cpu_s, check
//   MoonBench navigate DEPTH N     a route and a step back on a stack of DEPTH screens, N times
//   MoonBench view SIZE N          draws a screen whose view has SIZE elements, N times
//   MoonBench open|kept|among SIZE N           the work of `SessionWorkload`, N times
//   MoonBench awaited SIZE N [preferring]      … and whether its tasks prefer the host's thread
//   MoonBench journal alone|shared|insert|group|resume|replay none|process|power N [BYTES]
//                                  the work of `JournalWorkload`, N times: wall_s, row_bytes
//   MoonBench states N             N kept states of workload C: bytes
//   MoonBench typed 1|10 N typed|values        actions with so many fields, as types or as values
//   MoonBench publish N            publishes N events that nobody reads
//   MoonBench idle MODULES         loads and watches modules, then waits for the end of its input
//   MoonBench load N               N modules: seconds, bytes
//   MoonBench reload N             N saves among 100 modules: microseconds to serving
//   MoonBench routes FILE SECONDS  checks, then times all work of `RouteWorkload`: nanoseconds
//   MoonBench match path|captures|url|parameters FILE N     does it N times
//   MoonBench effects once|sleeping N      the work of `EffectWorkload`, N times
//   MoonBench effects requests|client N URL
//   MoonBench protocol inside|attached N   the work of `ProtocolWorkload`, N times: wall_s
//   MoonBench protocol beside SUBSCRIPTIONS N
//   MoonBench growth               the kinds of work of `Growth`: name, base
//   MoonBench growth NAME N        does one of them at size N
import Dispatch
import Glibc
import MoonJournal
import Moonwire

extension HostOptions {
  /// Options without any limit that can be left out.
  static var unlimited: HostOptions {
    var options = HostOptions()
    options.budgets = Budgets(all: .zero)
    options.followingBudget = .zero
    options.memoryQuota = 0
    options.stateQuota = 0
    options.faultsMax = 0
    options.trial.isWatched = false
    return options
  }
}

func dispatch(_ workload: Workload, count: Int, options: HostOptions) async throws {
  let folder = ScriptFolder(workload.files)
  var options = options
  // Under valgrind, on a busy machine, loading 10,000 records exceeds the default budget.
  if options.trial.isWatched { options.budgets[.load] = .seconds(60) }
  let host = try Host(directory: folder.path, options: options)
  try await host.load()
  guard let name = ModuleName("probe") else { return }
  var probe = Module(name: name)
  let path = try Path(parsing: workload.observed)
  probe.observers = [Observer(path) { new, _, _ in precondition(new != nil) }]
  try await host.add(probe)
  let session = await host.openSession()
  let wall = Usage.wallTime
  let processor = Usage.processorTime
  try await host.perform { host in try workload.run(count, on: host, session) }
  let usedProcessor = Usage.processorTime - processor
  let usedWall = Usage.wallTime - wall
  let state = await host.state(of: session) ?? .null
  print(
    """
    {"peer":"moonwire","workload":"\(workload.rawValue)","n":\(count),"wall_s":\(usedWall),\
    "cpu_s":\(usedProcessor),"check":\(workload.checksum(of: state))}
    """)
  await host.close()
}

func navigate(depth: Int, count: Int) async throws {
  let folder = ScriptFolder(["pages.lua": Scripts.pages])
  let host = try Host(directory: folder.path, options: .unlimited)
  try await host.load()
  let session = await host.openSession()
  for number in 0..<depth { try await host.route(Text("/page/\(number)"), in: session) }
  let processor = Usage.processorTime
  try await host.perform { host in
    for _ in 0..<count {
      try host.route("/page/top", in: session)
      try host.navigate(NavigationAction(.back), in: session)
    }
  }
  let used = Usage.processorTime - processor
  let screens = await host.navigationTree(of: session)?.screens.count ?? 0
  print(
    "{\"peer\":\"moonwire\",\"workload\":\"navigate\",\"n\":\(count),"
      + "\"cpu_s\":\(used),\"check\":\(screens)}")
  await host.close()
}

func view(size: Int, count: Int) async throws {
  let folder = ScriptFolder(["pages.lua": Scripts.view(size: size)])
  let host = try Host(directory: folder.path, options: .unlimited)
  try await host.load()
  let session = await host.openSession()
  try await host.route("/page", in: session)
  let processor = Usage.processorTime
  let shown = await host.perform { host in
    (0..<count).reduce(0) { sum, _ in
      sum + (host.shownScreen(in: session)?.card == nil ? 0 : 1)
    }
  }
  let used = Usage.processorTime - processor
  print(
    "{\"peer\":\"moonwire\",\"workload\":\"view\",\"n\":\(count),"
      + "\"cpu_s\":\(used),\"check\":\(shown)}")
  await host.close()
}

func load(_ count: Int) async throws {
  var files: [String: String] = [:]
  for number in 0..<count { files["m\(number).lua"] = Scripts.increment }
  let folder = ScriptFolder(files)
  let bytes = Usage.residentBytes
  let start = Usage.wallTime
  let host = try Host(directory: folder.path)
  try await host.load()
  let session = await host.openSession()
  let seconds = Usage.wallTime - start
  let loaded = await host.moduleInfos().filter { $0.status == .running }.count
  print(
    """
    {"what":"load","modules":\(loaded),"seconds":\(seconds),\
    "megabytes":\(Double(Usage.residentBytes - bytes) / 1e6)}
    """)
  await host.closeSession(session)
  await host.close()
}

func reload(_ count: Int) async throws {
  var files = Scripts.hundredModules
  files["probe.lua"] = Scripts.large(version: 0)
  let folder = ScriptFolder(files)
  let host = try Host(directory: folder.path)
  try await host.watch()
  try await host.load()
  let session = await host.openSession()
  var events = host.events().makeAsyncIterator()
  var samples: [Double] = []
  for version in 1...count {
    let saved = folder.write(Scripts.large(version: version), to: "probe.lua")
    waiting: while let event = await events.next() {
      if case .reloaded = event { break waiting }
    }
    try await host.dispatch(Action("probe/probe"), to: session)
    samples.append((Usage.wallTime - saved) * 1e6)
    let served = await host.state(of: session)?["probe"]?["version"]?.intValue
    guard served == Int64(version) else {
      print("{\"what\":\"reload\",\"error\":\"version \(version) isn't in service\"}")
      return
    }
  }
  print(
    """
    {"what":"reload","saves":\(count),"p50_us":\(percentile(samples, 0.5)),\
    "p95_us":\(percentile(samples, 0.95)),"p99_us":\(percentile(samples, 0.99))}
    """)
  await host.close()
}

func grow(_ arguments: ArraySlice<String>) async throws -> Bool {
  guard let name = arguments.first else {
    for work in Growth.all { print("{\"name\":\"\(work.name)\",\"base\":\(work.base)}") }
    return true
  }
  guard arguments.count == 2, let size = arguments.last.flatMap({ Int($0) }), size > 0,
    let work = Growth.all.first(where: { $0.name == name })
  else { return false }
  try await work.run(size)
  return true
}

func measure(_ arguments: [String]) async throws -> Bool {
  var arguments = arguments
  var options = HostOptions()
  if arguments.last == "unlimited" { options = .unlimited }
  if arguments.last == "timeline" { options.timeline = Timeline.Limits() }
  if ["unlimited", "timeline"].contains(arguments.last) { arguments.removeLast() }
  let isPreferring = arguments.first == "awaited" && arguments.last == "preferring"
  if isPreferring { arguments.removeLast() }
  let number = arguments.last.flatMap { Int($0) }
  switch arguments.first {
  case "dispatch":
    guard arguments.count > 1, let workload = Workload(rawValue: arguments[1]) else { return false }
    try await dispatch(workload, count: number ?? 1_000, options: options)
  case "navigate":
    guard arguments.count == 3, let depth = Int(arguments[1]), let number else { return false }
    try await navigate(depth: depth, count: number)
  case "view":
    guard arguments.count == 3, let size = Int(arguments[1]), let number else { return false }
    try await view(size: size, count: number)
  case "open", "kept", "among", "awaited":
    guard arguments.count == 3, let size = Int(arguments[1]), let number,
      let workload = SessionWorkload(rawValue: arguments[0])
    else { return false }
    try await workload.run(size: size, count: number, isPreferring: isPreferring)
  case "journal":
    guard arguments.count >= 4, let workload = JournalWorkload(rawValue: arguments[1]),
      let count = Int(arguments[3])
    else { return false }
    let durability = JournalFile.Durability(rawValue: arguments[2])
    let bytes = arguments.count > 4 ? number ?? 0 : 0
    try await workload.run(durability, count: count, rowBytes: bytes)
  case "states": try await keepStates(number ?? 10_000)
  case "typed":
    guard arguments.count == 4, let fields = Int(arguments[1]), [1, 10].contains(fields),
      let count = Int(arguments[2]), ["typed", "values"].contains(arguments[3])
    else { return false }
    try await TypedWorkload.run(
      fieldCount: fields, isTyped: arguments[3] == "typed", count: count)
  case "publish": publish(number ?? 1_000_000)
  case "idle": try await idle(number ?? 1_000)
  case "load": try await load(number ?? 1_000)
  case "reload": try await reload(number ?? 300)
  case "routes":
    guard arguments.count == 3, let seconds = Double(arguments[2]) else { return false }
    try measureRoutes(arguments[1], seconds: seconds)
  case "match":
    guard arguments.count == 4, let number, let workload = RouteWorkload(rawValue: arguments[1])
    else { return false }
    try repeatRoutes(workload, arguments[2], count: number)
  case "effects":
    guard arguments.count > 2, let workload = EffectWorkload(rawValue: arguments[1]),
      let count = Int(arguments[2]), count > 0
    else { return false }
    try await workload.run(count: count, url: arguments.count > 3 ? arguments[3] : "")
  case "protocol":
    guard arguments.count > 2, let workload = ProtocolWorkload(rawValue: arguments[1]), let number
    else { return false }
    let subscriptions = arguments.count > 3 ? Int(arguments[2]) ?? 0 : 0
    try await workload.run(count: number, subscriptions: subscriptions)
  case "growth": return try await grow(arguments.dropFirst())
  default: return false
  }
  return true
}

// The main thread waits: valgrind can't follow a program whose main thread ends before the others.
let done = DispatchSemaphore(value: 0)
Task.detached {
  do {
    if try await !measure(Array(CommandLine.arguments.dropFirst())) {
      print(
        """
        usage: MoonBench dispatch A|B|C|D N [unlimited|timeline] | load N | reload N
               MoonBench routes FILE SECONDS
               MoonBench journal alone|shared|insert|group|resume|replay LEVEL N [BYTES]
               MoonBench states N
               MoonBench navigate DEPTH N | view SIZE N | publish N | idle MODULES
               MoonBench open|kept|among SIZE N | awaited SIZE N [preferring]
               MoonBench match path|captures|url|parameters FILE N | growth [NAME N]
               MoonBench effects once|sleeping N | effects requests|client N URL
        """)
      exit(64)
    }
  } catch {
    print("{\"error\":\"\(error)\"}")
    exit(70)
  }
  done.signal()
}
done.wait()
