import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// `moon.storage` as modules use it.
@Suite(.timeLimit(.minutes(2))) struct StorageTests {
  /// Runs an effect and returns what it told.
  private func told(
    _ effect: String, limits: StorageLimits = StorageLimits(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let bench = try await StorageBench(effect, services: [.storage(limits: limits)])
    return try await bench.go(sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "1", "1.0", "-0.0", "0.1", "1e999", "9223372036854775807", "-9223372036854775808", "true",
    "false", "null", #""""#, #""a\u0000b""#, #""é\n""#, "[]", "{}", "[1,[2.0,{}],[]]",
    #"{"[1]":1,"[7]":"x"}"#, #"{"[[1]":1,"a":{"b":[null,false]}}"#, "1e-320",
  ])
  func `a value comes back with its kind and its bits`(text: String) async throws {
    let bench = try await StorageBench(
      """
      storage.set("key", payload.values[1])
      self.dispatch("keep", { values = { storage.get "key" } })
      """)
    let value = try Value(parsing: text)
    try await bench.go(["values": .list([value])])
    #expect(try await bench.state("m.kept")?.canonicalText == "[\(text)]")
  }

  @Test func `keys are set, read and deleted`() async throws {
    #expect(
      try await told(
        """
        tell(storage.get "a", storage.set("a", 1), storage.get "a")
        tell(storage.delete "a", storage.delete "a", storage.get "a")
        storage.set("a\\0b", 1) storage.set("a", 2) storage.set("", 3)
        tell(storage.get "a\\0b", storage.get "a", storage.get "")
        tell(storage.clear "a", storage.usage().count, storage.usage().bytes)
        tell(storage.clear "", storage.usage().count, storage.usage().bytes)
        """) == ["nil nil 1", "true false nil", "1 2 3", "2 1 67", "1 0 0"])
  }

  @Test func `any number of keys is cleared`() async throws {
    #expect(
      try await told(
        """
        for part = 0, 2 do
          storage.transaction(function(t)
            for i = 1, 8000 do t:set("k" .. part * 8000 + i, 1) end
          end)
        end
        storage.set("other", 1)
        tell(storage.clear "k", storage.usage().count)
        """) == ["24000 1"])
  }

  @Test func `a module sees its own keys only`() async throws {
    let bench = try await StorageBench(
      "storage.set('key', 'of m')",
      modules: ["n.lua": StorageBench.module("tell(storage.get 'key', #storage.keys())")])
    try await bench.go()
    #expect(try await bench.go(of: "n") == ["nil 0"])
  }

  @Test func `a list has the keys with a prefix in the order of their bytes, in pages`()
    async throws
  {
    let told = try await told(
      """
      for _, key in ipairs { "b", "a/é", "a/z", "a", "a/1", "a/10", "a/2", "a0" } do
        storage.set(key, #key)
      end
      tell(table.concat(storage.keys "a/", " "))
      local page, after = storage.keys("a/", { limit = 2 })
      tell(table.concat(page, " "), after)
      page, after = storage.keys("a/", { limit = 2, after = after })
      tell(table.concat(page, " "), after)
      page, after = storage.keys("a/", { limit = 2, after = after })
      tell(table.concat(page, " "), after)
      local entries = storage.list { after = "a/é" }
      tell(entries[1].key, entries[1].value, entries[2].key, #entries)
      tell(#storage.keys "c", #storage.keys("a/", { after = "b" }))
      tell(#storage.keys("a/", { after = "A" }))
      """)
    #expect(
      told == [
        "a/1 a/10 a/2 a/z a/é", "a/1 a/10 a/10", "a/2 a/z a/z", "a/é nil", "a0 2 b 2", "0 0", "5",
      ])
  }

  @Test func `a page ends before its values are larger than an answer may be`() async throws {
    let told = try await told(
      """
      for i = 1, 12 do storage.set("k" .. i, ("x"):rep(1000000)) end
      local count, pages, after = 0, 0, nil
      repeat
        local page
        page, after = storage.list { after = after }
        count, pages = count + #page, pages + 1
      until not after
      tell(count, pages > 1)
      """)
    #expect(told == ["12 true"])
  }

  @Test(arguments: [
    ("storage.get()", "bad_argument"), ("storage.get(1)", "bad_argument"),
    ("storage.set('a')", "bad_argument"), ("storage.set('a', '\\xff')", "bad_argument"),
    ("storage.get '\\xff'", "bad_argument"), ("storage.list(1)", "bad_argument"),
    ("storage.keys('', { limit = 0 })", "bad_argument"),
    ("storage.set(('k'):rep(2000), 1)", "too_large"),
    ("storage.set('k', ('\\1'):rep(300000))", "too_large"),
    ("storage.set('k', ('x'):rep(1100000))", "too_large"),
    ("storage.transaction(function(t) t:set('k', ('x'):rep(1100000)) end)", "too_large"),
    ("storage.transaction()", "bad_argument"), ("storage.transaction('x')", "bad_argument"),
    ("storage.transaction(function(t) t:get(1) end)", "bad_argument"),
    ("storage.transaction(function(t) t:set('a', '\\xff') end)", "bad_argument"),
    ("storage.transaction(function(t) t:list('a', 1) end)", "bad_argument"),
  ])
  func `a wrong argument is an error with a code`(call: String, code: String) async throws {
    #expect(
      try await told("tell(code(function() \(call) end), storage.usage().count)") == ["\(code) 0"])
  }

  @Test(arguments: [
    "storage.set('k', ('x'):rep(17 << 20))",
    "storage.transaction(function(t) t:set('k', ('x'):rep(17 << 20)) end)",
  ])
  func `a value that is too large for a call is an error at the script's line`(
    call: String
  ) async throws {
    let told = try await told("tell(select(2, pcall(function() \(call) end)))")
    #expect(
      told.first?.wholeMatch(
        of: /m\.lua:\d+: moon\.storage\.[\w:]+: more than 8192 KB can't be passed .*/) != nil,
      "\(told)")
  }

  @Test func `functions and cycles can't be stored`() async throws {
    let told = try await told(
      """
      tell(select(2, pcall(storage.set, "a", print)))
      local cycle = {} cycle.cycle = cycle
      tell((pcall(storage.set, "a", cycle)), (pcall(storage.set, "a", { 1, x = 2 })))
      """)
    #expect(told[0].contains("function"))
    #expect(told[1] == "false false")
  }

  @Test func `a module keeps no more than its quota, and may always delete`() async throws {
    var limits = StorageLimits()
    limits.moduleBytesMax = 1000
    let told = try await told(
      """
      for i = 1, 20 do
        local done, problem = pcall(storage.set, "key" .. i, ("x"):rep(94))
        if not done then tell(i, problem.code, problem.reason) break end
      end
      tell(storage.usage().bytes, storage.usage().bytes_max)
      storage.set("key1", "x")
      storage.delete "key2"
      storage.set("key3", ("y"):rep(200))
      tell(code(storage.transaction, function(t)
        t:set("a", ("x"):rep(400)) t:set("b", ("x"):rep(600))
      end), storage.get "a")
      """, limits: limits)
    #expect(
      told == [
        "7 quota moon.storage.set: the module keeps 996 bytes and may keep 1000; this takes 166 "
          + "more: delete something first", "996 1000", "quota nil",
      ])
  }

  @Test(arguments: [[], ["net:x.example"]])
  func `a module without the grant isn't loaded`(granted: [String]) async throws {
    let bench = try await StorageBench("tell(1)", granted: granted)
    await #expect(throws: DispatchError.self) {
      try await bench.host.dispatch(Action("m/go"), to: bench.session)
    }
  }

  @Test func `a module that doesn't ask for the storage is refused`() async throws {
    let bench = try await StorageBench(
      "", modules: ["n.lua": StorageBench.module("tell(code(storage.get, 'a'))", needs: "")])
    #expect(try await bench.go(of: "n") == ["not_needed"])
  }

  @Test func `a reducer can't use the storage, and the prompt can't wait for it`() async throws {
    let bench = try await StorageBench(
      "",
      modules: [
        "n.lua": """
        local moon = require "moonwire"
        return moon.module {
          needs = { "storage" }, state = {},
          reducers = { bad = function() moon.storage.transaction(function() end) end },
        }
        """
      ])
    await #expect(throws: DispatchError.self) {
      try await bench.host.dispatch(Action("n/bad"), to: bench.session)
    }
    await #expect(throws: Fault.self) {
      try await bench.host.evaluate(
        "require('moonwire').storage.get 'a'", in: bench.session)
    }
  }

  @Test func `what one host stores, the next one reads`() async throws {
    let first = try await StorageBench("storage.set('a', { n = 1.0 })")
    try await first.go()
    await first.host.close()
    let second = try await StorageBench("tell(storage.get('a').n)", data: first.data)
    #expect(try await second.go() == ["1.0"])
  }

  @Test func `a reload in the middle of a transaction leaves nothing of it`() async throws {
    let bench = try await StorageBench(
      """
      storage.set("b", 1)
      storage.transaction(function(t)
        t:set("a", 1) t:delete "b"
        tell "waits"
        moon.take "m/never"
      end)
      """)
    try await bench.host.dispatch(Action("m/go"), to: bench.session)
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    while try await bench.told() != ["waits"] { await Task.yield() }
    try bench.folder.save("m.lua", StorageBench.module("tell(storage.get 'a', storage.get 'b')"))
    _ = await bench.host.reload()
    #expect(try await bench.go() == ["waits", "nil 1"])
  }
}
