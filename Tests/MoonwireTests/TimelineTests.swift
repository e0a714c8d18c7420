import MoonTestSupport
import Moonwire
import Testing

/// Going through the states of a session.
@Suite(.timeLimit(.minutes(2))) struct TimelineTests {
  private static let counter = """
    return {
      state = { n = 0 }, actions = { add = { by = "integer?" }, fail = {} },
      reducers = { add = function(s, p) s.n = s.n + (p.by or 1) end,
        fail = function() error "no" end },
    }
    """
  private static let pages = """
    local moon = require "moonwire"
    return {
      state = { visits = 0, left = "" },
      reducers = {
        visit = function(s) s.visits = s.visits + 1 end,
        ["nav/did_pop"] = function(s, p) s.left = s.left .. p.origin .. " " end,
      },
      routes = { ["/one"] = { screen = function() return { title = "One" } end },
        ["/two"] = { screen = function() return { title = "Two" } end } },
    }
    """

  private func counted(_ count: Int, options: HostOptions? = nil) async throws -> Bench {
    let bench = try await Bench(["m.lua": Self.counter], options: options)
    for _ in 0..<count { try await bench.dispatch("m/add") }
    return bench
  }

  private func go(_ bench: Bench, _ place: TimelinePlace) async throws -> Value? {
    try await bench.host.travel(to: place, in: bench.session)
    return try await bench.state("m.n")
  }

  @Test func `each place shows its state, and the latest one is as it was`() async throws {
    let bench = try await counted(5)
    let places: [(TimelinePlace, Value)] = [
      (.back(1), 4), (.back(3), 1), (.forward(1), 2), (.action(4), 4), (.position(0), 0),
      (.forward(100), 5), (.back(100), 0), (.present, 5),
    ]
    for (place, n) in places { #expect(try await go(bench, place) == n, "\(place)") }
    #expect(await bench.host.timeline(of: bench.session)?.isPast == false)
    try await bench.dispatch("m/add")
    #expect(try await bench.state("m.n") == 6)
  }

  @Test(arguments: [
    (TimelinePlace.forward(1), TimelineError.atEnd), (.action(99), .noStep(99)),
    (.position(6), .atEnd), (.position(-1), .atBeginning),
  ])
  func `a place that doesn't exist is an error, and changes nothing`(
    place: TimelinePlace, error: TimelineError
  ) async throws {
    let bench = try await counted(5)
    await #expect(throws: error) { try await bench.host.travel(to: place, in: bench.session) }
    #expect(try await bench.state("m.n") == 5)
    try await bench.dispatch("m/add")
  }

  @Test func `an action in the past is refused until the timeline is cut`() async throws {
    let bench = try await counted(5)
    #expect(try await go(bench, .back(3)) == 2)
    let error = await bench.failure(of: "m/add")
    #expect(error == .paused(position: 2, count: 5))
    #expect("\(try #require(error))".contains("paused at 2/5"))
    #expect(try await bench.state("m.n") == 2)
    try await bench.host.carryOut(.cut, in: bench.session)
    try await bench.dispatch("m/add", ["by": 10])
    #expect(try await bench.state("m.n") == 12)
    #expect(await bench.host.timeline(of: bench.session)?.count == 3)
    await #expect(throws: TimelineError.atEnd) {
      try await bench.host.travel(to: .forward(1), in: bench.session)
    }
  }

  @Test func `an undo takes back what was dispatched, with all that followed`() async throws {
    let bench = try await Bench([
      "a.lua": """
      return { state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end,
        more = function(s) s.n = s.n + 100 end },
        effects = { go = function(_, self) self.dispatch("more") end } }
      """
    ])
    for _ in 0..<3 { try await bench.dispatch("a/go") }
    #expect(try await bench.state("a.n") == 303)
    for n in [202, 101, 0] {
      let outcome = try await bench.host.undo(in: bench.session)
      #expect(try await bench.state("a.n") == .int(Int64(n)))
      #expect(outcome.before["a"]?["n"] == .int(Int64(n + 101)))
    }
    await #expect(throws: TimelineError.nothingToUndo) {
      try await bench.host.undo(in: bench.session)
    }
    try await bench.dispatch("a/go")
    #expect(try await bench.state("a.n") == 101)
  }

  @Test func `the navigation goes back, and is announced once the session goes on`() async throws {
    let bench = try await Bench(["m.lua": Self.pages])
    try await bench.host.route("/one", in: bench.session)
    try await bench.host.route("/two", in: bench.session)
    let left = try await bench.state("m.left")
    let count = try #require(await bench.host.timeline(of: bench.session)?.count)
    let place = try #require(
      await bench.host.timeline(of: bench.session)?.steps.firstIndex {
        $0.action.payload["url"] == "/two"
      })
    let outcome = try await bench.host.travel(to: .position(place), in: bench.session)
    #expect(outcome.navigation?.after.topScreen?.title == "One")
    #expect(await bench.host.navigationTree(of: bench.session)?.topScreen?.title == "One")
    try await bench.host.travel(to: .present, in: bench.session)
    #expect(try await bench.state("m.left") == left, "coming back announces nothing")
    #expect(await bench.host.timeline(of: bench.session)?.count == count)
    try await bench.host.travel(to: .position(place), in: bench.session)
    try await bench.host.carryOut(.cut, in: bench.session)
    #expect(try await bench.state("m.left")?.stringValue?.hasSuffix("timeline ") == true)
    #expect(await bench.history().last == "nav/did_pop ok")
  }

  @Test func `observers and streams get the shown states, and nothing follows`() async throws {
    let notes = Notes()
    let watch: @Sendable () throws -> Module = {
      try Module("watch") { module in
        module.observers = [
          Observer(Path([.key("m"), .key("n")])) { new, _, context in
            notes.add(new?.canonicalText ?? "-")
            if new == 0 { try context.dispatch(Action("m/add")) }
          }
        ]
      }
    }
    let bench = try await Bench(["m.lua": Self.counter], adding: [watch])
    let session = HostSession(bench.session, on: bench.host)
    var states = try await session.values(at: "m.n", buffering: .newest(100)).makeAsyncIterator()
    for _ in 0..<2 { try await bench.dispatch("m/add") }
    try await bench.host.travel(to: .back(2), in: bench.session)
    try await bench.host.travel(to: .present, in: bench.session)
    for n in [0, 1, 2, 0, 2] { #expect(await states.next() == .some(.int(Int64(n)))) }
    #expect(notes.all == ["1", "2", "0", "2"])
    #expect(try await bench.state("m.n") == 2)
  }

  @Test func `a failed action is no step`() async throws {
    let bench = try await counted(2)
    _ = await bench.failure(of: "m/fail")
    #expect(await bench.host.timeline(of: bench.session)?.count == 2)
  }

  @Test func `a batch is one step`() async throws {
    let bench = try await counted(1)
    try await bench.host.dispatch([Action("m/add"), Action("m/add")], to: bench.session)
    #expect(try await go(bench, .back(1)) == 1)
    #expect(try await go(bench, .action(3)) == 3)
    try await bench.host.carryOut(.toggle(2), in: bench.session)
    #expect(try await bench.state("m.n") == 1)
  }

  @Test(arguments: [0, 1, 3])
  func `only the last steps are kept`(length: Int) async throws {
    var options = Bench.quiet
    options.timeline = Timeline.Limits(countMax: length)
    let bench = try await counted(5, options: options)
    #expect(await bench.host.timeline(of: bench.session)?.count == length)
    guard length > 0 else {
      await #expect(throws: TimelineError.notKept) {
        try await bench.host.travel(to: .back(1), in: bench.session)
      }
      return
    }
    #expect(try await go(bench, .back(100)) == .int(Int64(5 - length)))
  }

  @Test func `large states make room before they fill the memory`() async throws {
    var options = Bench.quiet
    options.timeline = Timeline.Limits(bytesMax: 1 << 20)
    let bench = try await Bench(
      [
        "m.lua": """
        return { state = { text = "", list = {} }, actions = { put = { text = "string" } },
          reducers = { put = function(s, p) s.text = p.text end } }
        """
      ], options: options)
    for number in 0..<40 {
      let text = String(repeating: "\(number % 10)", count: 100_000)
      try await bench.dispatch("m/put", ["text": .string(Text(text))])
    }
    let bytes = await bench.host.timelineByteCount(of: bench.session)
    #expect(bytes > 100_000 && bytes < 2 << 20)
    let count = try #require(await bench.host.timeline(of: bench.session)?.count)
    #expect(count >= 2 && count < 15)
  }

  @Test func `a reload keeps the moments unless it changes slices`() async throws {
    let bench = try await counted(5)
    #expect(try await go(bench, .back(3)) == 2)
    try bench.folder.save("m.lua", "-- moved\n" + Self.counter)
    await bench.host.reload()
    #expect(try await bench.state("m.n") == 2, "the same moment is shown")
    #expect(await bench.failure(of: "m/add") == .paused(position: 2, count: 5))
    try bench.folder.save(
      "m.lua", Self.counter.replacing("state = { n = 0 }", with: "state = { n = 0, more = 1 }"))
    await bench.host.reload()
    #expect(try await bench.state("m.n") == 5, "earlier states lack the field")
    #expect(try await bench.state("m.more") == 1)
    #expect(await bench.host.timeline(of: bench.session)?.count == 0)
    try await bench.dispatch("m/add")
    #expect(try await go(bench, .back(1)) == 5)
  }

  @Test func `a session that is closed or saved in the past has its latest state`() async throws {
    let bench = try await counted(5)
    #expect(try await go(bench, .back(3)) == 2)
    #expect(await bench.host.savedState(of: bench.session)?.slices["m"]?["n"] == 5)
    #expect(await bench.host.closeSession(bench.session)?.slices["m"]?["n"] == 5)
    await #expect(throws: TimelineError.noSession) {
      try await bench.host.travel(to: .present, in: bench.session)
    }
  }

  @Test func `commands are refused in the past`() async throws {
    let bench = try await Bench([
      "m.lua": Self.counter.replacing(
        "reducers =", with: "commands = { n = function() return 1 end }, reducers =")
    ])
    try await bench.dispatch("m/add")
    try await bench.host.travel(to: .back(1), in: bench.session)
    await #expect(throws: CommandError.self) { try await bench.host.call("m/n", in: bench.session) }
    try await bench.host.travel(to: .present, in: bench.session)
    #expect(try await bench.host.call("m/n", in: bench.session) == 1)
  }
}

/// Tasks of a session that stands still.
@Suite(.timeLimit(.minutes(2))) struct StandstillTests {
  private static let module = """
    local moon = require "moonwire"
    return { state = { n = 0, m = 0, ticks = 0 },
      schedules = { tick = { every = 10 } },
      reducers = { go = function(s) s.n = s.n + 1 end, done = function(s) s.m = s.m + 1 end,
        tick = function(s) s.ticks = s.ticks + 1 end },
      effects = { go = function(_, self) moon.sleep(5) self.dispatch("done") end } }
    """

  private func state(_ bench: TaskBench, _ path: String) async throws -> Value? {
    try await bench.bench.state(path)
  }

  @Test func `no time passes for tasks and timers while an earlier state is shown`() async throws {
    let bench = try await TaskBench(["m.lua": Self.module])
    try await bench.bench.dispatch("m/go")
    await bench.pass(2)
    try await bench.host.travel(to: .back(1), in: bench.session)
    await bench.pass(100)
    #expect(try await state(bench, "m.m") == 0)
    #expect(try await state(bench, "m.ticks") == 0)
    #expect(await bench.host.taskInfos(of: bench.session).count == 2)
    try await bench.host.travel(to: .present, in: bench.session)
    #expect(try await state(bench, "m.m") == 0)
    await bench.pass(3)
    #expect(try await state(bench, "m.m") == 1)
    await bench.pass(4)
    #expect(try await state(bench, "m.ticks") == 0)
    await bench.pass(1)
    #expect(try await state(bench, "m.ticks") == 1)
    await bench.pass(10)
    #expect(try await state(bench, "m.ticks") == 2)
  }

  @Test func `tasks of undone actions end, and the others go on`() async throws {
    let bench = try await TaskBench(["m.lua": Self.module])
    try await bench.bench.dispatch("m/go")
    await bench.pass(1)
    try await bench.bench.dispatch("m/go")
    try await bench.host.travel(to: .back(1), in: bench.session)
    try await bench.host.carryOut(.cut, in: bench.session)
    #expect(try await state(bench, "m.n") == 1)
    await bench.pass(4)
    #expect(try await state(bench, "m.m") == 1)
    await bench.pass(4)
    #expect(try await state(bench, "m.m") == 1, "the second effect was undone")
  }

  @Test(arguments: ["debounce = 4", "throttle = 4"])
  func `no time passes for the paces of effects and observers`(pace: String) async throws {
    let bench = try await TaskBench([
      "m.lua": """
      local moon = require "moonwire"
      return { state = { n = 0, told = moon.list() },
        reducers = { set = function(s, p) s.n = p.n end,
          tell = function(s, p) s.told[#s.told + 1] = p.text end },
        effects = { set = { \(pace), run = function(p, self)
          self.dispatch("tell", { text = "effect " .. p.n }) end } },
        observe = { ["m.n"] = { \(pace), run = function(n, _, self)
          self.dispatch("tell", { text = "observer " .. n }) end } } }
      """
    ])
    try await bench.dispatch("m/set", ["n": 1])
    await bench.pass(1)
    let begun = try await bench.told().sorted()
    #expect(begun == (pace.hasPrefix("throttle") ? ["effect 1", "observer 1"] : []))
    try await bench.host.carryOut(.lock(true), in: bench.session)
    await bench.pass(100)
    try await bench.host.carryOut(.lock(false), in: bench.session)
    // With `throttle`, 3 seconds are left; `debounce` counts from this action.
    try await bench.dispatch("m/set", ["n": 2])
    #expect(try await bench.told().sorted() == begun)
    if pace.hasPrefix("debounce") {
      await bench.pass(1)
      try await bench.host.carryOut(.lock(true), in: bench.session)
      await bench.pass(100)
      try await bench.host.carryOut(.lock(false), in: bench.session)
    }
    await bench.pass(2)
    #expect(try await bench.told().sorted() == begun)
    await bench.pass(1)
    #expect(try await bench.told().sorted() == (begun + ["effect 2", "observer 2"]).sorted())
  }

  @Test func `what tasks of undone actions dispatched meanwhile is dropped`() async throws {
    let (notes, gate) = (Notes(), AsyncStream.makeStream(of: Void.self))
    let bench = try await Bench(
      ["m.lua": Self.module],
      adding: [
        {
          try Module("swift") { module in
            module.actions = [ActionDeclaration("go"), ActionDeclaration("stay")]
            for type: Text in ["swift/go", "swift/stay"] {
              module.effects.append(
                Effect(.exact(type)) { _, context in
                  for await _ in gate.stream { break }
                  try await context.dispatch(Action("m/done"))
                  notes.add(type.string)
                })
            }
          }
        }
      ])
    for type in ["swift/stay", "swift/go"] { try await bench.dispatch(type) }
    try await bench.host.travel(to: .back(1), in: bench.session)
    gate.continuation.finish()
    while notes.all.count < 2 { await Task.yield() }
    #expect(try await bench.state("m.m") == 0, "it waits while the session stands still")
    try await bench.host.carryOut(.cut, in: bench.session)
    #expect(try await bench.state("m.m") == 1)
    #expect(await bench.history().filter { $0.hasPrefix("m/done") } == ["m/done ok"])
  }

  @Test func `a locked timeline takes no action, and no time passes`() async throws {
    let bench = try await TaskBench(["m.lua": Self.module])
    try await bench.bench.dispatch("m/go")
    try await bench.host.carryOut(.lock(true), in: bench.session)
    #expect(await bench.bench.failure(of: "m/go") == .timelineLocked)
    await bench.pass(100)
    #expect(try await state(bench, "m.m") == 0)
    try await bench.host.carryOut(.lock(false), in: bench.session)
    await bench.pass(5)
    #expect(try await state(bench, "m.m") == 1)
  }
}
