import Moonwire
import Testing

@Suite struct ReachableNamesTests {
  /// All values that a module can reach initially, by the path at which each is found.
  static let reachable: Set<String> = {
    var names = Set(ScriptNames.globals)
    let libraries = ScriptNames.libraries.merging(ScriptNames.moon) { $1 }
      .merging(["self": ScriptNames.context]) { $1 }
    for (library, members) in libraries {
      let path = library == "moon" ? "moonwire" : library.replacing("moon.", with: "moonwire.")
      names.insert(path)
      for member in members { names.insert("\(path).\(member)") }
    }
    return names
  }()

  @Test func `what a module can reach is exactly what the table of functions has`() async throws {
    let arena = try await Arena(
      hostile: """
        local moon = require "moonwire"
        return moon.module {
          state = { names = {} },
          reducers = { found = function(state, names) state.names = names end,
            go = function(state) state.names = { "begun" } end },
          observe = { ["hostile.names"] = function(new, old, self)
            if new[1] ~= "begun" then return end
            local names, seen = {}, {}
            local function walk(value, path)
              local meta = getmetatable(value)
              if meta and type(value) ~= "string" then names[#names + 1] = path .. ":metatable" end
              if type(value) ~= "table" or seen[value] then return end
              seen[value] = true
              for name, part in pairs(value) do
                local inner = path == "" and name or path .. "." .. name
                names[#names + 1] = inner
                walk(part, inner)
              end
            end
            -- Loaded when they are first asked for.
            assert(moon.ui and moon.nav and moon.sleep)
            walk(_G, "")
            for name, value in pairs { moonwire = moon, self = self } do
              names[#names + 1] = name
              walk(value, name)
            end
            self.dispatch("found", names)
          end },
        }
        """)
    #expect(await arena.reasons(of: "hostile/go") == [])
    let names = try await arena.state("hostile.names")?.listValue ?? List()
    let found = Set(names.compactMap(\.stringValue))
    #expect(found.subtracting(Self.reachable) == [], "on no list")
    #expect(Self.reachable.subtracting(found) == [], "on the list and not there")
  }
}
