import Dispatch
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// Services that a program offers: the kinds of function, and what Lua gets from them.
@Suite(.timeLimit(.minutes(2))) struct ServiceFunctionTests {
  /// An error of the service.
  enum Mishap: String, ServiceFailure {
    case dropped = "the dice fell under the table"
    var code: String { "dropped" }
    var description: String { rawValue }
  }

  /// A service with a function of each kind.
  static let dice = Service(
    "dice", "Throws dice.",
    functions: [
      .pure("sum", "Adds.", .strings("faces"), returns: "integer") { _, faces in
        .integer(faces.compactMap { Int($0) }.reduce(0, +))
      },
      .pure(
        "throw", "Throws.", .strings("faces"), .option(.integer("sides"), or: 6), returns: "integer"
      ) { _, faces, sides in
        .several([.integer(faces.count), .integer(sides)])
      },
      .pure("bytes", "Returns bytes as they are.", .bytes("data"), returns: "string") { _, data in
        .fields([("data", .bytes(data)), ("count", .integer(data.count)), ("none", .nothing)])
      },
      .immediate(
        "roll", "Returns a face.", .option(.integer("from", in: 1...6), or: 4),
        .optional(.string("by")), returns: "integer"
      ) { call, from, by in
        .several([.integer(from), .string(by), .string(call.module?.text ?? "prompt")])
      },
      .asynchronous("shake", "Shakes.", .number("seconds"), returns: "number") { _, seconds in
        await Task.yield()
        guard seconds > 0 else { throw Mishap.dropped }
        return .number(seconds * 2)
      },
      .stream("faces", "Rolls again and again.", .integer("count"), of: "integer") { _, count in
        AsyncStream { stream in
          for face in 0..<count { stream.yield(ServiceResult.integer(face)) }
          stream.finish()
        }
      },
      .opening("cup", "Takes a cup.", Cup.handle, .string("colour")) { _, colour in Cup(colour) },
    ])

  /// What `cup` opens.
  final class Cup: Sendable {
    static let handle = ServiceHandle<Cup>(
      "cup", "A cup.",
      methods: [
        .immediate("colour", "Its colour.", returns: "string") { _, cup in .string(cup.colour) },
        .asynchronous("next", "Draws.", returns: "integer") { _, cup in
          let left = cup.left.withLock { left in
            left -= 1
            return left
          }
          return left < 0 ? .nothing : .integer(left)
        },
      ],
      closing: { $0.closed.open() })

    let colour: String
    let left = Mutex(2)
    let closed = Gate()

    init(_ colour: String) { self.colour = colour }
  }

  private func bench(_ effect: String, more: String = "", services: [Service] = [dice]) async throws
    -> TaskBench
  {
    var options = Bench.quiet
    options.services = services
    return try await TaskBench(effect: effect, more: more, options: options)
  }

  /// Runs an effect to its end and returns what it told.
  private func told(_ effect: String, sourceLocation: SourceLocation = #_sourceLocation)
    async throws -> [String]
  {
    let bench = try await bench(effect)
    try await bench.go()
    let rest = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(rest.faults.map(\.description) == [], sourceLocation: sourceLocation)
    return try await bench.told()
  }

  @Test func `an effect calls every kind of function`() async throws {
    #expect(
      try await told(
        """
        tell(moon.dice.sum { "1", "2" })
        local face, by, module = moon.dice.roll(nil, { from = 5 })
        tell(face, tostring(by), module)
        tell(moon.dice.shake(1.5))
        for face in moon.dice.faces(3) do tell(face) end
        local cup = moon.dice.cup("red")
        tell(cup:colour(), tostring(cup))
        for left in cup do tell(left) end
        """) == ["3", "5 nil m", "3.0", "0", "1", "2", "red cup", "1", "0"])
  }

  @Test(arguments: [
    ("moon.dice.roll()", "4"), ("moon.dice.roll { from = 2 }", "2"),
    (#"moon.dice.roll("Eva", { from = 2 })"#, "2 Eva m"),
    (#"moon.dice.roll { by = "Eva" }"#, "4 Eva m"),
    (#"moon.dice.throw { "a", "b", sides = 8 }"#, "2 8"),
    (#"moon.dice.throw({ "a" }, { sides = 8 })"#, "1 8"), (#"moon.dice.throw { "a" }"#, "1 6"),
    (#"moon.dice.throw { faces = { "a" }, sides = 8 }"#, "1 8"), ("moon.dice.throw {}", "0 6"),
    ("moon.dice.roll(moon.null)", "4"),
    ("moon.dice.roll { from = 2.0 }", "2"), ("moon.dice.sum {}", "0"),
  ])
  func `arguments are passed in order or by name`(call: String, result: String) async throws {
    let told = try await told(
      "local a, b, c = \(call) tell(a, b or nil, b and c or nil)")
    #expect(told == [result])
  }

  @Test(arguments: [
    ("moon.dice.roll { form = 1 }", "there is no argument 'form'; did you mean 'from'?"),
    ("moon.dice.roll { from = 'x' }", "'from' must be integer, not a string"),
    ("moon.dice.roll { from = 1.5 }", "'from' must be integer, not 1.5"),
    ("moon.dice.roll { from = 7 }", "'from' must be from 1 to 6, not 7"),
    ("moon.dice.roll('a', 'b')", "it takes 1 argument at most"),
    ("moon.dice.roll('a', { by = 'b' })", "'by' is passed twice"),
    ("moon.dice.shake()", "'seconds' is missing (number)"),
    ("moon.dice.shake('x')", "'seconds' must be number, not a string"),
    (#"moon.dice.roll("\xff")"#, "'by' holds a string that isn't UTF-8"),
    (#"moon.dice.throw { "a", nil, "c" }"#, "there is no argument '[3]'"),
    ("moon.dice.throw { sides = 8 }", "'faces' is missing (string[])"),
    (#"moon.dice.throw { "a", side = 8 }"#, "there is no argument 'side'; did you mean 'sides'?"),
    (#"moon.dice.sum { "\xff" }"#, "'faces' holds a string that isn't UTF-8"),
  ])
  func `a wrong argument is an error at the caller's line`(call: String, reason: String)
    async throws
  {
    let name = call.prefix { $0 != "(" && $0 != " " }
    #expect(
      try await told(
        """
        local done, problem = pcall(function() local x = \(call) end)
        tell(problem.code, problem.service, problem.reason)
        tell("" .. problem)
        """) == [
          "bad_argument \(name.dropFirst(5)) \(name): \(reason)", "m.lua:10: \(name): \(reason)",
        ])
  }

  @Test func `strings of any bytes go in and out`() async throws {
    #expect(
      try await told(
        #"""
        local all = {}
        for i = 0, 255 do all[i + 1] = string.char(i) end
        all = table.concat(all)
        local found = moon.dice.bytes(all)
        tell(tostring(found.data == all), found.count, tostring(found.none))
        tell(moon.dice.bytes("é").data)
        """#) == ["true 256 nil", "é"])
  }

  @Test func `an error of a service has a code and prints as its text`() async throws {
    let told = try await told(
      """
      local done, problem = pcall(moon.dice.shake, 0)
      tell(tostring(done), problem.code, problem.service, type(problem))
      local done, problem = pcall(function() local x = moon.dice.shake(0) end)
      tell(tostring(problem))
      local done, problem = pcall(moon.timeout, 5, function() local x = moon.dice.shake(0) end)
      tell(tostring(problem), problem.code)
      """)
    #expect(
      told == [
        "false dropped dice.shake table",
        "m.lua:12: moon.dice.shake: the dice fell under the table",
        "m.lua:14: moon.dice.shake: the dice fell under the table dropped",
      ])
  }

  @Test func `an error that no one handles is a fault with its text and place`() async throws {
    let bench = try await bench("local x = moon.dice.shake(0)")
    try await bench.go()
    let rest = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    let fault = try #require(rest.faults.first)
    #expect(fault.reason == .raised("moon.dice.shake: the dice fell under the table"))
    #expect(fault.place == SourcePlace(file: "m.lua", line: 10))
  }

  @Test func `a handle is closed by a break, by the end of its scope, and with its task`()
    async throws
  {
    let cups = Mutex<[Cup]>([])
    let service = Service(
      "bar", "Serves.",
      functions: [
        .opening("cup", "Takes a cup.", Cup.handle) { _ in
          let cup = Cup("red")
          cups.withLock { $0.append(cup) }
          return cup
        }
      ])
    let bench = try await bench(
      """
      for left in moon.bar.cup() do break end
      do local cup <close> = moon.bar.cup() end
      local cup = moon.bar.cup()
      cup:close()
      local done, problem = pcall(cup.colour, cup)
      tell(problem.code)
      moon.bar.cup()
      moon.sleep(9)
      """, services: [service])
    try await bench.go()
    while await bench.waits() != ["9.0 s"] { await Task.yield() }
    #expect(try await bench.told() == ["closed"])
    let open = cups.withLock { $0 }
    for cup in open.prefix(3) { await cup.closed.wait() }
    #expect(!open[3].closed.isOpen)
    await bench.pass(9)
    await open[3].closed.wait()
  }

  @Test func `what isn't pure is refused in reducers, views and mappers`() async throws {
    var options = Bench.quiet
    options.services = [Self.dice]
    let bench = try await Bench(
      [
        "m.lua": """
        local moon = require "moonwire"
        return moon.module {
          state = { sum = 0 },
          reducers = {
            sum = function(s) s.sum = moon.dice.sum { "1", "2" } end,
            roll = function(s) s.sum = moon.dice.roll() end,
            shake = function(s) moon.dice.shake(1) end,
            map = function() end,
          },
          map_navigation = function(action)
            if action.type == "m/map" then moon.dice.roll() end
          end,
          routes = { ["/m"] = { screen = function() return { title = "M" } end } },
          views = { m = function() return { moon.ui.text(tostring(moon.dice.roll())) } end },
        }
        """
      ], options: options)
    #expect(await bench.failure(of: "m/roll")?.description.contains("reducer") ?? false)
    #expect(await bench.failure(of: "m/shake")?.description.contains("reducer") ?? false)
    try await bench.dispatch("m/sum")
    #expect(try await bench.state("m.sum") == 3)
    let outcome = try await bench.dispatch("m/map")
    let reasons = outcome.faults.map { "\($0)" }
    #expect(reasons.count == 1 && reasons[0].contains("isn't available in a mapper"), "\(reasons)")
    _ = try await bench.host.route("/m", in: bench.session)
    let shown = await bench.host.shownScreen(in: bench.session)
    #expect("\(String(describing: shown))".contains("isn't available in a view"))
  }

  @Test func `a module's file can't use what isn't pure`() async throws {
    var options = Bench.quiet
    options.services = [Self.dice]
    let bench = try await Bench(
      ["m.lua": "local moon = require 'moonwire' moon.dice.roll() return {}"], options: options)
    let info = try #require(try await bench.info("m"))
    #expect("\(info.problems)".contains("isn't available in a module's file"))
  }

  @Test func `an answer beyond the limit is refused`() async throws {
    let service = Service(
      "big", "Answers at length.",
      functions: [
        .asynchronous("text", "A long text.", .integer("count")) { _, count in
          .bytes([UInt8](repeating: 120, count: count))
        }
      ])
    var options = Bench.quiet
    options.services = [service]
    options.surroundings.answerBytesMax = 1000
    let bench = try await TaskBench(
      effect: """
        tell(#moon.big.text(1000))
        local done, problem = pcall(moon.big.text, 1001)
        tell(problem.code)
        """, options: options)
    try await bench.go()
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.told() == ["1000", "answer_too_large"])
  }

  @Test(arguments: [
    ("sum", "{ 'a', print }", "[2]: a function can't leave the module"),
    ("shake", "0/0", "a number that is not a number (0/0) can't leave the module"),
    ("roll", "{ by = coroutine.create(print) }", "by: a thread can't leave the module"),
    ("faces", "print", "a function can't leave the module"),
    (
      "throw", "{ { 1, x = 2 } }",
      "[1]: a table with both integer and string keys can't leave the module: give it one kind of key"
    ),
  ])
  func `what can't leave the module is a wrong argument of the service`(
    function: String, argument: String, reason: String
  ) async throws {
    #expect(
      try await told(
        """
        local done, problem = pcall(moon.dice.\(function), \(argument))
        tell(tostring(done) .. " " .. problem.code .. " " .. problem.service)
        tell(problem.reason)
        tell((tostring(problem):gsub("^m%.lua:%d+: ", "")))
        """) == [
          "false bad_argument dice.\(function)", "moon.dice.\(function): \(reason)",
          "moon.dice.\(function): \(reason)",
        ])
  }

  @Test func `a method's argument that can't leave the module names the method`() async throws {
    #expect(
      try await told(
        """
        local cup = moon.dice.cup "red"
        local done, problem = pcall(cup.next, cup, print)
        tell(problem.code .. " " .. problem.reason)
        """) == ["bad_argument moon.dice.cup:next: a function can't leave the module"])
  }

  @Test func `a call passes an eighth of the module's memory and no more`() async throws {
    let service = Service(
      "long", "Takes much.",
      functions: [
        .pure("count", "Counts bytes.", .any("data")) { _, data in
          .integer(data.stringValue?.utf8.count ?? data.listValue?.count ?? 0)
        }
      ])
    let bench = try await bench(
      """
      local max = 8 << 20
      tell(moon.long.count(("x"):rep(max - 64)) - max)
      local done, problem = pcall(moon.long.count, ("x"):rep(max + 1))
      tell(problem.code .. " " .. problem.reason)
      local part, list = ("x"):rep(1 << 20), {}
      for i = 1, 7 do list[i] = part end
      tell(moon.long.count(list))
      list[8] = part
      tell(select(2, pcall(moon.long.count, list)).code)
      """, services: [service])
    try await bench.go()
    #expect(await bench.host.waitForTasks(in: bench.session, within: .seconds(60)).faults == [])
    let reason =
      "moon.long.count: more than 8192 KB can't be passed to the host at once; --limit memory=... allows more"
    #expect(try await bench.told() == ["-64", "too_large \(reason)", "7", "too_large"])
  }

  /// Makes a service whose calls block their threads until one opens the gate.
  private static func blocking() -> Service {
    let gate = Gate()
    return Service(
      "slow", "Blocks.",
      functions: [
        .asynchronous("wait", "Blocks its thread.", .optional(.bytes("data"))) { _, _ in
          gate.block()
          return .nothing
        },
        .asynchronous("open", "Ends the blocking.") { _ in
          gate.open()
          return .nothing
        },
      ])
  }

  @Test func `calls that wait hold no more than the module may`() async throws {
    let bench = try await bench(
      """
      local text, calls = ("x"):rep(7 << 20), {}
      for i = 1, 9 do calls[i] = function() moon.slow.wait(text) end end
      calls[10] = function()
        moon.spawn(function() moon.slow.wait "small" end)
        tell(select(2, pcall(moon.slow.wait, text)).code)
        moon.slow.open()
      end
      moon.all(calls)
      for i = 1, 5 do moon.slow.wait(text) end
      tell("again")
      """, services: [Self.blocking()])
    try await bench.go()
    #expect(await bench.host.waitForTasks(in: bench.session, within: .seconds(60)).faults == [])
    #expect(try await bench.told() == ["memory_full", "again"])
  }

  @Test func `services that block hold neither the host nor each other`() async throws {
    let bench = try await bench(
      """
      local waiting = {}
      for i = 1, 20 do waiting[i] = moon.slow.wait end
      moon.spawn(function() moon.slow.open() tell("opened") end)
      moon.all(waiting)
      tell("done")
      """, services: [Self.blocking()])
    try await bench.go()
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    // The ends of the two calls come in any order.
    #expect(try await bench.told().sorted() == ["done", "opened"])
  }

  @Test(arguments: ["Dice", "ui", "", "a.b", "sleep"])
  func `a service can't have every name`(name: String) throws {
    var options = HostOptions()
    options.services = [Service(name, "", functions: [])]
    #expect(throws: HostError.invalidService(name, .name)) {
      try Host(directory: nil, options: options)
    }
  }

  @Test func `two services can't have the same name`() throws {
    var options = HostOptions()
    options.services = [Self.dice, Self.dice]
    #expect(throws: HostError.invalidService("dice", .nameTaken)) {
      try Host(directory: nil, options: options)
    }
  }
}

/// A gate that stays open once it has been opened.
final class Gate: Sendable {
  private struct Contents {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())
  private let bell = DispatchSemaphore(value: 0)

  var isOpen: Bool { contents.withLock { $0.isOpen } }

  func open() {
    let waiting = contents.withLock { contents in
      contents.isOpen = true
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
    bell.signal()
  }

  /// Returns when the gate is open.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = contents.withLock { contents in
        if !contents.isOpen { contents.waiting.append(continuation) }
        return contents.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Blocks the thread until the gate is open.
  func block() {
    bell.wait()
    bell.signal()
  }
}
