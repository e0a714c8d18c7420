import Moonwire
import Testing

@Suite struct ReachableNamesTests {
  /// All values that a module can reach initially, by the path at which each is found.
  static let reachable: Set<String> = {
    var names: Set<String> = [
      "_G", "_VERSION", "assert", "collectgarbage", "error", "getmetatable", "ipairs", "load",
      "next", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
      "select", "setmetatable", "tonumber", "tostring", "type", "xpcall", "self",
    ]
    let libraries: [String: String] = [
      "coroutine": "close create isyieldable resume running status wrap yield",
      "math": """
      abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf \
      pi rad random sin sqrt tan tointeger type ult
      """,
      "os": "clock date difftime time",
      "string": """
      byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper
      """,
      "table": "concat insert move pack remove sort unpack",
      "utf8": "char charpattern codepoint codes len offset",
      "moonwire": """
      all back_to continue defer list log modal module nav none null option push race random redirect replace root \
      route show sleep spawn start stop take timeout ui url version when
      """,
      "moonwire.log": "debug error info notice trace warning",
      "moonwire.nav": """
      back back_to close dismiss dismiss_to dismiss_to_root focus insert_tab pop pop_to \
      pop_to_root present push remove_tab replace root screen select_tab set set_navigation \
      set_tabs show stack start tabs update
      """,
      "moonwire.ui": """
      actions button choice column container date facts heading image input list number open progress \
      rich row slot submit table text time toggle toggle_visibility when
      """,
      "self": """
      after call can_route dispatch dispatch_and_wait every handle input route route_and_wait \
      screen state top
      """,
    ]
    for (library, members) in libraries {
      names.insert(library)
      for member in members.split(separator: " ") { names.insert("\(library).\(member)") }
    }
    return names
  }()

  @Test func `the names that are proposed and suggested are those that can be reached`() {
    let libraries = ScriptNames.libraries.merging(ScriptNames.moon) { $1 }
      .merging(["self": ScriptNames.context]) { $1 }
    var names = Set(ScriptNames.globals)
    for (library, members) in libraries {
      let path = library.replacing("moon.", with: "moonwire.")
      let name = path == "moon" ? "moonwire" : path
      names.insert(name)
      for member in members { names.insert("\(name).\(member)") }
    }
    #expect(names == Self.reachable)
  }

  @Test func `what a module can reach is exactly what is on the list`() async throws {
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
