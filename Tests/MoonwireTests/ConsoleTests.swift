import Moonwire
import Testing

/// Evaluating a person's text with ``Host/evaluate(_:in:)``.
struct ConsoleTests {
  @Test func `what is typed has a quota of its own`() async throws {
    var options = Bench.quiet
    options.prompt.memoryQuota = 2 << 20
    let bench = try await Bench(options: options)
    let fault = await #expect(throws: Fault.self) {
      try await bench.host.evaluate("string.rep('x', 3000000)", in: bench.session)
    }
    #expect(fault?.reason == .outOfQuota(bytes: 2 << 20))
  }

  @Test func `what clients type in a served app has a time limit`() async throws {
    var options = Bench.quiet
    options.prompt.budget = .milliseconds(20)
    let bench = try await Bench(options: options)
    let fault = await #expect(throws: Fault.self) {
      try await bench.host.evaluate("while true do end", in: bench.session)
    }
    #expect(fault?.reason == .timedOut(milliseconds: 20))
  }

  private static let files = [
    "counter.lua": """
    return {
      state = { count = 1, list = { "a" } },
      actions = { add = { by = "integer?" } },
      reducers = {
        add = function(s, p) s.count = s.count + (p.by or 1) end,
        fail = function() error("no luck") end,
      },
    }
    """,
    "lib/double.lua": "return function(x) return 2 * x end",
  ]

  @Test(
    arguments: [
      ("1 + state('counter').count", [.value(2)]),
      ("state('counter.list[1]'), state().counter.count", [.value("a"), .value(1)]),
      ("state('nothing.here') == nil", [.value(true)]),
      ("require('double')(21)", [.value(42)]),
      ("x = 5", []),
      ("local y = 3 return y", [.value(3)]),
      ("dispatch('counter/add', { by = 4 }) return state('counter.count')", [.value(5)]),
      ("print", [.described("builtin function")]),
      ("(function() return 1.0, 'a' end)()", [.value(.double(1)), .value("a")]),
    ] as [(String, [EvaluatedValue])])
  func `text is evaluated as an expression, else as statements`(
    text: String, expected: [EvaluatedValue]
  ) async throws {
    let bench = try await Bench(Self.files)
    let values = try await bench.host.evaluate(text, in: bench.session)
    if case .described = expected.first {
      #expect(values.count == 1)
    } else {
      #expect(values == expected)
    }
  }

  @Test func `names that are assigned stay, in all lines of a host`() async throws {
    let bench = try await Bench(Self.files)
    _ = try await bench.host.evaluate("x = 5", in: bench.session)
    #expect(try await bench.host.evaluate("x", in: bench.session) == [.value(5)])
  }

  @Test(arguments: [
    ("1 +", "syntax("), ("error('mine')", "raised(\"mine\")"), ("x.y", "raised("),
    (
      "dispatch('counter/ad')",
      "raised(\"no module knows the action counter/ad; did you mean counter/add?\")"
    ),
    (
      "dispatch('counter/add', { by = 'x' })",
      "raised(\"the payload doesn't fit counter/add: 'by' must be integer, not a string\")"
    ),
    (
      "dispatch('counter/fail')",
      "raised(\"counter.lua:6: reducer counter/fail of module counter failed: no luck\")"
    ),
    ("state('a..b')", "raised("),
    ("state('counter').count = 5", "raised("),
    ("require 'counter'", "raised(\"require: 'counter' is a module"),
  ])
  func `what goes wrong is the prompt's fault`(text: String, reason: String) async throws {
    let bench = try await Bench(Self.files)
    do throws(Fault) {
      let values = try await bench.host.evaluate(text, in: bench.session)
      Issue.record("\(values)")
    } catch {
      #expect(error.module == "prompt")
      #expect(error.reason.summary.hasPrefix(reason), "\(error.reason.summary)")
    }
    #expect(try await bench.state("counter.count") == 1)
  }

  @Test func `a loop at the prompt is stopped and the next line works`() async throws {
    let bench = try await Bench(Self.files)
    let host = bench.host
    let stopper = Task.detached {
      while !Task.isCancelled, !host.interrupt() { await Task.yield() }
    }
    await #expect(throws: Fault.self) {
      try await host.evaluate("while true do end", in: bench.session)
    }
    await stopper.value
    #expect(try await host.evaluate("state('counter.count')", in: bench.session) == [.value(1)])
  }
}
