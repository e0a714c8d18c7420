import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// Every function of every service, called with whatever a script can pass.
@Suite(.timeLimit(.minutes(5))) struct NonsenseTests {
  static let services = Service.standard

  private static let values = [
    "nil", "true", "0", "-1", "0/0", "1/0", "math.mininteger", "2^53", "''", #""\xff\0""#,
    "('x'):rep(100000)", "{}", "{ 1, { 2 } }", "{ a = {} }", "{ nope = 1 }", "{ 'x', nope = 1 }",
    "{ [1.5] = 1 }", "function() end", "coroutine.create(print)", "moon.null", "moon.list()",
    "moon",
    "setmetatable({}, { __index = error, __pairs = error, __len = error })", "cycle",
  ]

  @Test(arguments: services.map(\.name))
  func `nonsense is refused with an error, and harms no one`(name: String) async throws {
    let service = try #require(Self.services.first { $0.name == name })
    let functions = service.functions.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let bench = try await EffectBench(
      """
      local cycle = {}
      cycle.cycle = cycle
      local values = table.pack(\(Self.values.joined(separator: ", ")))
      local function try(name, ...)
        local done, problem = pcall(moon.\(name)[name], ...)
        if done then
          local closed = pcall(function() problem:close() end)
        elseif type(problem) == "table" then
          if type(problem.code) ~= "string" or problem.service ~= "\(name)." .. name
            or not tostring(problem):find("^m.lua:%d+: ") then tell(name, problem) end
        elseif type(problem) ~= "string" or problem == "" then
          tell(name, problem)
        end
      end
      for _, name in ipairs { \(functions) } do
        for i = 1, values.n do
          try(name, values[i])
          for k = 1, values.n do try(name, values[i], values[k]) end
        end
        try(name, table.unpack(values, 1, values.n))
      end
      tell("survived")
      """, services: [service], needs: []
    ) { options in
      options.surroundings.dataDirectory = "/nonexistent"
    }
    try await bench.start()
    #expect(try await bench.finish() == ["survived"])
    await bench.host.close()
  }
}
