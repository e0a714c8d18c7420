import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// Transactions of the storage: all changes or none, whatever else happens.
@Suite(.timeLimit(.minutes(2))) struct StorageTransactionTests {
  private func told(
    _ effect: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    try await StorageBench(effect).go(sourceLocation: sourceLocation)
  }

  @Test func `a transaction sees its changes, and others see them at its end`() async throws {
    let told = try await told(
      """
      storage.set("a", 1)
      tell(storage.transaction(function(t)
        tell(t:get "a", t:get "b")
        t:set("b", { 1, 2 })
        tell(t:delete "a", t:delete "a", t:get "a", #t:get "b")
        tell(storage.get "a", storage.get "b")
        return "done", 7
      end))
      tell(storage.get "a", #storage.get "b")
      """)
    #expect(told == ["1 nil", "true false nil 2", "1 nil", "done 7", "nil 2"])
  }

  @Test func `what is set is a copy, and what is read as well`() async throws {
    #expect(
      try await told(
        """
        storage.transaction(function(t)
          local value = { n = 1 }
          t:set("a", value)
          value.n = 2
          t:get("a").n = 3
          tell(t:get("a").n)
        end)
        tell(storage.get("a").n)
        """) == ["1", "1"])
  }

  @Test func `an error undoes everything and is the caller's`() async throws {
    #expect(
      try await told(
        """
        storage.set("a", 1)
        local mine = { mine = true }
        local done, problem = pcall(storage.transaction, function(t)
          t:set("a", 2) t:set("b", 2)
          error(mine)
        end)
        tell(done, problem == mine, storage.get "a", storage.get "b")
        local late
        storage.transaction(function(t) late = t end)
        tell(code(late.set, late, "a", 1), storage.get "a")
        """) == ["false true 1 nil", "closed 1"])
  }

  @Test func `an error is reported with its line`() async throws {
    let bench = try await StorageBench(
      "storage.transaction(function(t)\n t:set('a', 1)\n error 'no' end)")
    let faults = try await bench.faults()
    #expect(faults.count == 1)
    #expect(faults.first?.contains("no") ?? false, "\(faults)")
  }

  @Test(arguments: [1, 60]) func `transactions at the same time lose no change`(
    count: Int
  ) async throws {
    #expect(
      try await told(
        """
        local tasks = {}
        for i = 1, \(count) do
          tasks[i] = function()
            storage.transaction(function(t) t:set("n", (t:get "n" or 0) + 1) end)
          end
        end
        moon.all(tasks)
        tell(storage.get "n")
        """) == ["\(count)"])
  }

  @Test func `two hosts on one file lose no change`() async throws {
    let effect = """
      for i = 1, 40 do
        storage.transaction(function(t) t:set("n", (t:get "n" or 0) + 1) end)
      end
      """
    let first = try await StorageBench(effect, services: [.storage(limits: StorageLimits())])
    let second = try await StorageBench(
      effect, data: first.data, services: [.storage(limits: StorageLimits())])
    async let one = first.go()
    async let other = second.go()
    _ = try await (one, other)
    let reader = try await StorageBench("tell(storage.get 'n')", data: first.data)
    #expect(try await reader.go() == ["80"])
  }

  @Test func `short transactions without end don't outrun a long one`() async throws {
    #expect(
      try await told(
        """
        storage.set("a", 0)
        local is_over, count = false, 0
        moon.all {
          function()
            while not is_over and count < 3000 do
              storage.transaction(function(t) count = count + 1 t:set("a", count) end)
            end
          end,
          function()
            storage.transaction(function(t)
              t:get "a"
              for _ = 1, 20 do storage.get "a" end
            end)
            is_over = true
          end,
        }
        tell(count < 3000)
        """) == ["true"])
  }

  @Test func `a transaction never sees parts of two states`() async throws {
    // One task keeps a and b equal; the other one reads both.
    #expect(
      try await told(
        """
        storage.set("a", 0) storage.set("b", 0)
        local wrong = 0
        moon.all {
          function()
            for i = 1, 50 do
              storage.transaction(function(t) t:set("a", i) t:set("b", i) end)
            end
          end,
          function()
            for _ = 1, 50 do
              storage.transaction(function(t)
                if t:get "a" ~= t:get "b" then wrong = wrong + 1 end
              end)
            end
          end,
        }
        tell(wrong, storage.get "a")
        """) == ["0 50"])
  }

  @Test(arguments: [
    ("t:get 'a'", "storage.set('a', 1)"), ("t:list()", "storage.set('a', 1)"),
    ("t:keys 'a'", "storage.set('ab', 1)"), ("t:keys('', { limit = 1 })", "storage.delete 'k1'"),
    ("t:keys('', { after = 'k2' })", "storage.set('x', 1)"),
    ("t:delete 'k1'", "storage.set('k1', 2)"),
  ])
  func `a transaction is repeated when what it read was changed`(
    read: String, change: String
  ) async throws {
    #expect(
      try await told(
        """
        storage.set("k1", 1) storage.set("k2", 1)
        local attempts = 0
        storage.transaction(function(t)
          attempts = attempts + 1
          \(read)
          if attempts == 1 then \(change) end
          t:set("z", attempts)
        end)
        tell(attempts, storage.get "z")
        """) == ["2 2"])
  }

  @Test(arguments: [
    ("t:get 'a'", "storage.set('b', 1)"), ("t:keys('', { limit = 1 })", "storage.set('x', 1)"),
    ("t:keys 'a'", "storage.set('b', 1)"), ("t:set('k1', 1)", "storage.set('k1', 2)"),
    ("t:keys('', { after = 'k1' })", "storage.set('a', 1)"),
  ])
  func `a transaction isn't repeated for other changes`(read: String, change: String) async throws {
    #expect(
      try await told(
        """
        storage.set("k1", 1) storage.set("k2", 1)
        local attempts = 0
        storage.transaction(function(t)
          attempts = attempts + 1
          \(read)
          \(change)
          t:set("z", attempts)
        end)
        tell(attempts, storage.get "z")
        """) == ["1 1"])
  }

  @Test func `a transaction that is always late is an error`() async throws {
    #expect(
      try await told(
        """
        local attempts = 0
        tell(code(storage.transaction, function(t)
          attempts = attempts + 1
          t:get "a"
          storage.set("a", attempts)
          t:set("b", 1)
        end), attempts, storage.get "b")
        """) == ["conflict \(StorageLimits.attemptCountMax) nil"])
  }

  @Test func `a transaction may wait for anything, and locks nothing meanwhile`() async throws {
    #expect(
      try await told(
        """
        local done = moon.spawn(function()
          storage.transaction(function(t)
            t:set("a", 1)
            moon.take "m/tell"
          end)
        end)
        storage.set("b", 1)
        tell(storage.get "a")
        done:await()
        tell(storage.get "a")
        """) == ["nil", "1"])
  }

  /// Pages of a transaction with changes are those of the storage with the same changes.
  @Test(arguments: 1...4) func `pages include the changes`(seed: Int) async throws {
    #expect(
      try await told(
        """
        local state = \(seed)
        local function random(n) state = (state * 1103515245 + 12345) % 2147483648; return state // 65536 % n + 1 end
        local function pages(of, prefix, limit)
          local texts, after = {}, nil
          repeat
            local page
            page, after = of(prefix, { limit = limit, after = after })
            for _, entry in ipairs(page) do texts[#texts + 1] = entry.key .. "=" .. entry.value end
            texts[#texts + 1] = "|"
          until not after
          return table.concat(texts, " ")
        end
        for round = 1, 5 do
          local seen = {}
          storage.transaction(function(t)
            for _ = 1, 30 do
              local key = ("k%d%d"):format(random(3), random(9))
              if random(3) == 1 then t:delete(key) else t:set(key, random(100)) end
            end
            for limit = 1, 12 do
              seen[limit] = pages(function(...) return t:list(...) end, "k" .. round % 3, limit)
            end
          end)
          for limit = 1, 12 do
            local now = pages(storage.list, "k" .. round % 3, limit)
            if now ~= seen[limit] then tell(limit, now, seen[limit]) end
          end
        end
        tell "same"
        """) == ["same"])
  }
}
