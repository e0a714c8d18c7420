import Moonwire
import Testing

/// The host's functions refuse nil where a value must be, since a misspelt field is nil.
struct NilArgumentTests {
  @Test(arguments: [
    ("self.state(nil)", "self.state takes a path or no argument, not nil"),
    ("self.can_route(nil)", "self.can_route takes a URL, not a nil"),
    ("moon.list(nil)", "moon.list takes a table or no argument, not nil"),
    ("self.dispatch(nil)", "dispatch takes the type of an action"),
    ("self.screen(nil)", "self.screen takes a URL"), ("moon.url(nil)", "takes the name of a route"),
    ("moon.route(nil)", "moon.route takes a string, not nothing"),
    ("moon.refuse(nil)", "moon.refuse takes a reason"),
  ])
  func `nil is refused`(call: String, text: String) async throws {
    let bench = try await TaskBench(
      effect: "tell(tostring(select(2, pcall(function() return \(call) end))))")
    try await bench.go()
    let told = try await bench.told()
    #expect(told.first?.contains(text) == true, "\(told)")
  }

  @Test(arguments: ["self.state()", "self.state('m.n')", "moon.list()", "moon.list {}"])
  func `an argument that may be left out is left out`(call: String) async throws {
    let bench = try await TaskBench(
      effect: "tell(tostring(pcall(function() return \(call) end)))")
    try await bench.go()
    #expect(try await bench.told() == ["true"])
  }

  @Test(arguments: [(15, "true"), (17, "more than 16384 KB"), (17, "--limit memory=")])
  func `an effect dispatches as much as an answer may hold, and more is refused by name`(
    megabytes: Int, text: String
  ) async throws {
    let bench = try await TaskBench(
      effect: """
        local text = ("x"):rep(\(megabytes) << 20)
        local done, err = pcall(self.dispatch, "set", { n = 1, text = text })
        tell(tostring(done), tostring(err))
        """)
    try await bench.go()
    let told = try await bench.told()
    #expect(told.last?.contains(text) == true, "\(told)")
    #expect(try await bench.bench.state("m.n") == (megabytes < 16 ? 1 : 0))
  }
}
