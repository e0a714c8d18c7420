import MoonTestServer
import MoonTestSupport
import Moonwire
import Testing

/// A module's file is saved with new content while one of its calls is under way.
///
/// Whatever the call, the old generation ends with all it holds, the new one can make the same call,
/// and the modules beside it notice nothing.
@Suite(.timeLimit(.minutes(5))) struct ServiceReloadTests {
  /// What shows that a call is under way.
  enum Sign: Sendable {
    /// So many tasks of the module exist, and each waits.
    case tasks(Int)
    /// So many requests have reached the server, and then the same as in ``tasks(_:)``.
    case requests(Int, tasks: Int = 1)
    /// The program and its child have written their numbers.
    case processes
    /// The effect has said so; it goes on, and is met at any place.
    case told
    /// The effect has said so, and waits for something that begins with these words.
    case toldAndWaits(String)
  }

  /// A call that waits.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let sign: Sign
    /// The statements of the effect.
    let code: String
    /// Further keys of the module's table.
    var more = ""
    var testDescription: String { name }

    init(_ name: String, _ sign: Sign, _ code: String, more: String = "") {
      (self.name, self.sign, self.code, self.more) = (name, sign, code, more)
    }
  }

  // MARK: Cases

  static let requests = [
    Case("a request that isn't answered", .requests(1), "moon.http.get(base .. '/silent')"),
    Case("an answer that doesn't end", .requests(1), "moon.http.get(base .. '/stalled')"),
    Case(
      "an answer byte by byte", .requests(1),
      "moon.http.get(base .. '/trickle?bytes=100000000')"),
    Case(
      "a body that is sent", .requests(1),
      "moon.http.post(base .. '/silent', { json = { a = ('x'):rep(100000) } })"),
    Case(
      "a request of any method", .requests(1),
      "moon.http.request(base .. '/silent', { method = 'OPTIONS' })"),
    Case("a request within pcall", .requests(1), "pcall(moon.http.get, base .. '/silent')"),
    Case(
      "a request in a coroutine", .requests(1),
      "coroutine.wrap(function() moon.http.get(base .. '/silent') end)()"),
    Case(
      "many requests at a time", .requests(20, tasks: 21),
      """
      local all = {}
      for i = 1, 20 do all[i] = function() moon.http.get(base .. "/silent") end end
      moon.all(all)
      """),
    Case(
      "a request with a time limit", .requests(1, tasks: 2),
      "moon.timeout(1000, function() moon.http.get(base .. '/silent') end)"),
    Case("the head of a streamed answer", .requests(1), "moon.http.open(base .. '/silent')"),
    Case(
      "the next part of a streamed answer", .toldAndWaits("http."),
      "local answer = moon.http.open(base .. '/stalled') for part in answer do tell 'begun' end"),
    Case(
      "parts of an answer without end", .told,
      """
      local count = 0
      for part in moon.http.open(base .. "/endless") do
        count = count + 1
        if count == 10 then tell "begun" end
      end
      """),
    Case(
      "a streamed answer that nobody reads", .toldAndWaits(""),
      "local answer = moon.http.open(base .. '/endless') tell 'begun' moon.sleep(1000)"),
    Case(
      "the head of a stream of events", .requests(1),
      "for event in moon.http.events(base .. '/silent') do end"),
    Case(
      "the next event", .toldAndWaits("http."),
      "for event in moon.http.events(base .. '/openevents') do tell 'begun' end"),
    Case(
      "a stream of events that connects again", .requests(3),
      "for event in moon.http.events(base .. '/cutevents', { retries = 1000 }) do end"),
    Case(
      "a WebSocket that isn't open yet", .requests(1),
      "moon.http.websocket(socket_base .. '/silent')"),
    Case(
      "the next message of a WebSocket", .toldAndWaits("http."),
      """
      local socket = moon.http.websocket(socket_base .. "/socket")
      socket:send "a"
      for message in socket do tell "begun" end
      """),
    Case(
      "a WebSocket that nobody reads", .toldAndWaits(""),
      """
      local socket = moon.http.websocket(socket_base .. "/socket")
      socket:send "many"
      tell "begun"
      moon.sleep(1000)
      """),
    Case(
      "a request of `api`", .requests(1, tasks: 2), "self.dispatch 'load' moon.sleep(1000)",
      more: "api = { load = { request = function() moon.http.get(base .. '/silent') end } },"),
    Case(
      "a request of self.handle", .requests(1),
      "self.handle { request = function() moon.http.get(base .. '/silent') end }"),
    Case(
      "a deferred source with a request", .toldAndWaits("http."),
      """
      return moon.defer(function(emit)
        for event in moon.http.events(base .. "/openevents") do
          emit {}
          tell "begun"
        end
      end)
      """),
    Case(
      "a command with a request", .requests(1, tasks: 2), "self.call 'load'",
      more: "commands = { load = function() moon.http.get(base .. '/silent') end },"),
  ]

  static let files = [
    Case(
      "a watched directory", .toldAndWaits("files."),
      "local changes = moon.files.watch 'data' tell 'begun' for change in changes do end"),
    Case(
      "a watched file", .toldAndWaits("files."),
      "local changes = moon.files.watch 'data/a' tell 'begun' for change in changes do end"),
    Case(
      "a watch that nobody reads", .toldAndWaits(""),
      "local changes = moon.files.watch 'data' tell 'begun' moon.sleep(1000)"),
    Case("files that are read", .told, looped("moon.files.read 'data/a'")),
    Case("files that are listed", .told, looped("moon.files.list 'data'")),
    Case("files that are written", .told, looped("moon.files.write('data/b', ('x'):rep(100000))")),
  ]

  private static let program = """
    "sh", "-c", "sleep 1000 & echo $! > data/child; echo $$ > data/parent; echo line; wait"
    """

  static let processes = [
    Case("a program", .processes, "moon.processes.run { \(program) }"),
    Case(
      "a program that gets input", .processes,
      "moon.processes.run({ \(program) }, { input = ('line\\n'):rep(150000) })"),
    Case(
      "the lines of a program", .toldAndWaits("processes."),
      "for line in moon.processes.lines { \(program) } do tell 'begun' end"),
    Case(
      "a program whose lines nobody reads", .toldAndWaits(""),
      "local lines = moon.processes.lines { \(program) } lines:next() tell 'begun' moon.sleep(1000)"
    ),
    Case("programs one after another", .told, looped("moon.processes.run { 'true' }")),
  ]

  static let storage = [
    Case(
      "a transaction that waits", .toldAndWaits(""),
      """
      moon.storage.transaction(function(t)
        t:set("never", 1)
        tell "begun"
        moon.sleep(1000)
      end)
      """),
    Case(
      "a transaction that waits for its turn", .told,
      """
      local attempts = 0
      moon.spawn(function()
        moon.storage.transaction(function(t)
          t:get "a"
          attempts = attempts + 1
          if attempts == 5 then tell "begun" moon.sleep(1000) end
          moon.storage.set("a", tostring({}))
          t:set("never", 1)
        end)
      end)
      moon.take "m/tell"
      moon.storage.transaction(function(t) t:set("never", 1) moon.sleep(1000) end)
      """),
    Case("values that are set", .told, looped("moon.storage.set('a', i)")),
    Case("values that are read", .told, looped("moon.storage.list()")),
    Case(
      "transactions one after another", .told,
      looped(
        "moon.storage.transaction(function(t) t:set('b', i) moon.sleep(0) t:set('c', i) end)")),
    Case(
      "records that are put", .told,
      looped("notes:put { id = i % 10, title = 'x' }")),
  ]

  static let waits = [
    Case("a sleep", .tasks(1), "moon.sleep(1000)"),
    Case("an action", .tasks(1), "moon.take 'never/comes'"),
    Case("a part of the state", .tasks(1), "moon.when('m.never')"),
    Case(
      "all of several", .tasks(3),
      "moon.all { function() moon.sleep(1000) end, a = function() moon.take 'never/comes' end }"),
    Case(
      "the first of several", .tasks(3),
      "moon.race { function() moon.sleep(1000) end, a = function() moon.take 'never/comes' end }"),
    Case("a time limit", .tasks(2), "moon.timeout(1000, function() moon.take 'never/comes' end)"),
    Case("a task", .tasks(2), "moon.spawn(function() moon.sleep(1000) end):await()"),
    Case(
      "a task that is returned", .tasks(2), "return moon.spawn(function() moon.sleep(1000) end)"),
    Case("tasks that nobody awaits", .tasks(3), nested),
    Case("a command of another module", .tasks(1), "self.call 'n/never'"),
    Case(
      "a command of its own", .tasks(2), "self.call 'never'",
      more: "commands = { never = function() moon.sleep(1000) end },"),
    Case(
      "a deferred source", .tasks(1),
      "return moon.defer(function(emit) return function() end end)"),
    Case(
      "several deferred sources", .tasks(3),
      """
      local function source() return moon.defer(function() moon.sleep(1000) end) end
      return { source(), source() }
      """),
    Case(
      "a function that it returns", .tasks(1), "return function() moon.sleep(1000) end"),
  ]

  private static let nested = """
    moon.spawn(function() moon.spawn(function() moon.sleep(1000) end) moon.sleep(1000) end)
    moon.sleep(1000)
    """

  /// Returns a loop around a call that ends at once; the reload meets it at any place.
  private static func looped(_ call: String) -> String {
    """
    local i = 0
    while true do
      i = i + 1
      \(call)
      if i == 20 then tell "begun" end
    end
    """
  }

  static let all = requests + files + processes + storage + waits

  // MARK: The test

  @Test(arguments: all)
  func `a reload in the middle ends the call and lets the new code make it again`(_ one: Case)
    async throws
  {
    try await withTestServer { server async throws in
      let app = try await ReloadedApp(one, server)
      for generation in 1...2 {
        try await app.begin(generation)
        try await app.reload()
        #expect(await app.tasks() == [], "tasks are left")
        await app.leavesNothing()
      }
      #expect(try await app.bench.told().filter { $0 != "begun" } == ["closed 1", "closed 2"])
      try await app.checkNeighbour()
      try await app.bench.start()
      #expect(try await app.bench.finish().last == "nil", "the code that is left doesn't work")
      await app.bench.host.close()
      await app.leavesNothing()
    }
  }

  @Test(arguments: all)
  func `an error in the new file leaves the call alone`(_ one: Case) async throws {
    try await withTestServer { server async throws in
      let app = try await ReloadedApp(one, server)
      try await app.begin(1)
      #expect(await app.bench.host.moduleInfos().flatMap(\.problems).isEmpty)
      let told = try await app.bench.told()
      try app.bench.folder.save("m.lua", "return {")
      await app.bench.host.reload(ModuleName("m"))
      #expect(await app.tasks() != [])
      #expect(try await app.bench.told().filter { $0 != "begun" } == told.filter { $0 != "begun" })
      await app.bench.host.close()
      await app.leavesNothing()
    }
  }
}
