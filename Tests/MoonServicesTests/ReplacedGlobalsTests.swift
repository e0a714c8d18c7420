import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// Modules that put functions of their own in the place of globals.
///
/// Invariant 18: the host's own code calls what was there before any script ran.
struct ReplacedGlobalsTests {
  @Test func `no code of the host calls what a module has put in the place of a global`()
    async throws
  {
    let data = try TemporaryFolder()
    let bench = try await EffectBench(
      """
      local next, unpack, pairs = next, table.unpack, pairs
      local calls, saved = 0, {}
      local function save(library)
        for name, value in next, library do
          if type(value) == "function" and name ~= "require" then
            saved[#saved + 1] = { library, name, value }
          elseif type(value) == "table" and value ~= _G then
            save(value)
          end
        end
      end
      save(_G)
      for _, entry in next, saved do
        local library, name, value = unpack(entry)
        library[name] = function(...) calls = calls + 1 return value(...) end
      end
      moon.storage.transaction(function(t) t:set("a", { 1 }) t:list("a") t:get("b") end)
      moon.storage.set("b", 2)
      local counted = calls
      for _, entry in next, saved do entry[1][entry[2]] = entry[3] end
      tell(counted, moon.storage.get "b")
      """, services: [.storage], needs: ["storage"]
    ) { $0.surroundings.dataDirectory = "\(data.path)/data" }
    try await bench.start()
    #expect(try await bench.finish() == ["0 2"])
    await bench.host.close()
  }
}
