import Foundation
import Moonwire
import Testing

/// Invariant 8: the same actions give the same bytes of state.
struct DeterminismTests {
  private static let files = [
    "words.lua": """
    local moon = require "moonwire"
    return {
      state = { counts = {}, order = {}, dice = {}, text = "" },
      reducers = {
        add = function(state, payload)
          local seen = {}
          for word in payload.text:gmatch("%a+") do
            seen[word] = (seen[word] or 0) + 1
            state.counts[word] = (state.counts[word] or 0) + 1
          end
          -- The order of a plain table's keys and of a draft's goes into the state.
          for word, count in pairs(seen) do
            table.insert(state.order, word .. count)
          end
          for word in pairs(state.counts) do
            state.text = state.text .. word:sub(1, 1)
          end
          state.first = next(seen)
          table.insert(state.dice, moon.random(1000000))
          table.insert(state.dice, moon.random())
          state.shown = tostring(seen) .. tostring(print)
        end,
      },
    }
    """,
    "echo.lua": """
    return {
      state = { heard = 0 },
      reducers = { hear = function(s, p) s.heard = s.heard + p.by end },
      observe = { ["words.counts"] = function(counts, _, self)
        for word, count in pairs(counts) do
          if count % 2 == 0 then self.dispatch("hear", { by = count }) end
        end
      end },
    }
    """,
  ]

  /// Dispatches the same actions to a new host; returns the bytes of the state.
  static func run() async throws -> String {
    let bench = try await Bench(files)
    let words = ["the", "moon", "is", "a", "harsh", "mistress", "and", "has", "no", "wires"]
    for round in 0..<20 {
      let text = (0..<30).map { words[($0 * 7 + round * 3 + $0 * $0) % 10] }
      try await bench.dispatch("words/add", ["text": .string(Text(text.joined(separator: " ")))])
    }
    return try #require(await bench.host.state(of: bench.session)).canonicalText
  }

  @Test func `the same actions give the same bytes in two hosts`() async throws {
    let first = try await Self.run()
    let second = try await Self.run()
    #expect(first == second)
    #expect(first.utf8.count > 1000)
  }

  @Test func `the same actions give the same bytes in another process`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      print("<<\(try await DeterminismTests.run())>>")
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let here = try await Self.run()
    #expect(output.contains("<<\(here)>>"))
  }
}
