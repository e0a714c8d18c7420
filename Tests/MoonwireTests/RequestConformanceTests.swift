import Moonwire
import Testing

/// The behaviour of Caesura's dispatchers of requests, and that of `api`.
@Suite(.timeLimit(.minutes(2))) struct RequestConformanceTests {
  private typealias Case = StoreConformanceTests.Case

  /// Returns the module `m`, with a request that `m/start` makes.
  private static func module(_ request: String) -> [String: String] {
    [
      "m": """
      reducers = {
        start = function() print "start" end, loading = function() print "loading" end,
        success = function(_, value) print("success " .. tostring(value)) end,
        failure = function(_, failure) print("failure " .. (failure.code or failure.message)) end,
      },
      api = { start = {
        loading = "loading", success = "success", failure = "failure", \(request)
      } },
      """
    ]
  }

  static let all: [StoreConformanceTests.Case] = [
    Case(
      number: "64", fate: .differs,
      says: "an action that makes a request never reached reducers; here it does first",
      modules: module("request = function() return 1 end"), actions: [("m/start", nil)],
      notes: ["start", "loading", "success 1"]),
    Case(
      number: "65", fate: .same, says: "a request isn't made while requests are off, and is then",
      modules: module("request = function() return 1 end, failure = function() end"),
      actions: [
        ("api/disable", nil), ("m/start", nil), ("api/enable", nil), ("m/start", nil),
      ], notes: ["start", "start", "loading", "success 1"]),
    Case(
      number: "65b", fate: .mended,
      says: "one could wait for ever for a request that wasn't made; here it is told as a failure",
      modules: module("request = function() return 1 end"),
      actions: [("api/disable", nil), ("m/start", nil)], notes: ["start", "failure switched_off"]),
    Case(
      number: "66", fate: .same, says: "a request tells that it loads, then its value",
      modules: module("request = function() return 1 end"), actions: [("m/start", nil)],
      notes: ["start", "loading", "success 1"]),
    Case(
      number: "66b", fate: .same, says: "the value may be mapped",
      modules: module(
        "request = function() return 1 end, map_success = function(n) return n + 1 end"),
      actions: [("m/start", nil)], notes: ["start", "loading", "success 2"]),
    Case(
      number: "66c", fate: .mended,
      says: "an error in the mapping ended the program; here the request fails",
      modules: module(
        "request = function() return 1 end, map_success = function(n) error('shape', 0) end"),
      actions: [("m/start", nil)], notes: ["start", "loading", "failure shape"]),
    Case(
      number: "67", fate: .same, says: "a request tells that it loads, then its mapped error",
      modules: module(
        """
        request = function() error("first", 0) end,
        map_failure = function(e) return { message = e == "first" and "second" or "other" } end,
        """), actions: [("m/start", nil)], notes: ["start", "loading", "failure second"]),
    Case(
      number: "67b", fate: .same, says: "or the error as it is",
      modules: module("request = function() error('first', 0) end"),
      actions: [("m/start", nil)], notes: ["start", "loading", "failure first"]),
  ]

  @Test(arguments: all)
  func `an ancestor's case`(item: StoreConformanceTests.Case) async throws {
    try await item.run()
  }
}
