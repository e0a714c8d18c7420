import FoundationEssentials
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonAuthoring

/// The annotations for editors.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct TypesTests {
  /// Loads an app with all services.
  private static func host(_ folder: ScriptFolder) async throws -> Moonwire.Host {
    var options = HostOptions()
    options.services = Service.standard
    let host = try Moonwire.Host(directory: folder.root, options: options)
    try await host.load()
    return host
  }

  private static let todo = """
    local moon = require "moonwire"
    return moon.module {
      description = "Things\\nto do",
      state = { count = 0, items = { { title = "x", done = false } }, ["a b"] = {} },
      settings = { color = { "red|blue", "The colour", default = "red" } },
      actions = { add = { "Adds an item", title = "string", note = "string?", tags = "string[]" } },
      reducers = { add = function() end },
      routes = { ["/todo/:id"] = { name = "item", kind = "detail", screen = function() end } },
      commands = { total = { "How many", of = "string", run = function() return 1 end } },
    }
    """

  @Test func `every name that a script can reach is declared, and no other`() async throws {
    let folder = try ScriptFolder(["todo.lua": Self.todo])
    let outline = try await Self.host(folder).perform { AppOutline(of: $0) }
    let text = TypesFile.text(of: outline)
    try folder.save(
      "walk.lua",
      """
      local moon = require "moonwire"
      local real = { moonwire = moon }
      for name, value in pairs(_G) do real[name] = value end
      local declared = {}
      declared.moonwire = load([====[\(text)]====], "=types", "t", declared)()
      local function names(root)
        local found, seen = {}, {}
        local function walk(value, path)
          if type(value) ~= "table" or seen[value] then return end
          seen[value] = true
          for name, part in pairs(value) do
            local inner = path .. "." .. tostring(name)
            found[inner] = true
            if inner ~= "._G" and inner ~= ".package.loaded" then walk(part, inner) end
          end
        end
        walk(root, "")
        return found
      end
      -- Loaded when they are first asked for.
      for _, name in ipairs { \(outline.services.map { "\"\($0.name)\"" }.joined(separator: ",")) } do
        assert(moon[name], name)
      end
      assert(moon.ui and moon.nav and moon.sleep)
      local difference, there = {}, names(real)
      local mine = names(declared)
      for name in pairs(there) do
        if not mine[name] then difference[#difference + 1] = "not declared: " .. name end
      end
      for name in pairs(mine) do
        if not there[name] then difference[#difference + 1] = "not there: " .. name end
      end
      return moon.module { state = difference }
      """)
    let host = try await Self.host(folder)
    #expect(await host.moduleInfos().flatMap(\.problems).map(\.description) == [])
    let session = await host.openSession()
    let state = try #require(await host.state(of: session)?["walk"])
    #expect(state == .list(List()) || state == .map(Map()), "\(state.canonicalText)")
    for name in ScriptNames.context {
      #expect(text.contains("\nfunction self.\(name)("), "self.\(name)")
    }
    #expect(Set(ModuleKeyTypes.types.keys) == Set(ModuleKeys.names))
  }

  static let declarations = [
    #"---| "todo/add" # Adds an item"#, #"---| "todo/total" # How many"#,
    #"---| "item" # /todo/:id"#, #"---| "todo/detail""#, #"---| "todo.items" "#,
    "---@class todo.Payload.add\n---@field note? string\n---@field tags string[]\n",
    "---@class todo.Arguments.total\n---@field of string\n",
    #"---@overload fun(type: "todo/add", payload: todo.Payload.add)"#,
    "---@field items { done: boolean, title: string }[]\n", #"---@field ["a b"] table"#,
    "---@class todo.Settings\n---@field color \"red\"|\"blue\"\n",
    "---@field add? fun(state: todo.State, payload: todo.Payload.add, action: moon.Action): any",
    "---@field views? table<string, (fun(screen: moon.Screen, state: todo.State, self: todo.Self)",
    "---@param name moon.RouteName|string", "---@return moon.http.stream<{ type: any, data: any",
  ]

  @Test func `an app's own names are declared with their types`() async throws {
    let host = try await Self.host(try ScriptFolder(["todo.lua": Self.todo]))
    let text = TypesFile.text(of: await host.perform { AppOutline(of: $0) })
    for part in Self.declarations { #expect(text.contains(part), "\(part)") }
    #expect(text.hasPrefix("-- Written by moonwire types"))
  }

  @Test func `a file is written when its text changes, and only over one that the host wrote`()
    throws
  {
    let folder = try ScriptFolder()
    let file = TypesFile(in: folder.root)
    let (first, second) = ("-- Written by moonwire types\nreturn 1", "-- Written by moonwire types")
    #expect(!file.isKept)
    #expect(try file.write(first) == .written)
    #expect(try file.write(first) == .unchanged && file.isKept)
    // No module can require it, and no check looks at it.
    #expect(try ScriptDirectory(root: folder.root).scan().entries.isEmpty)
    try folder.save(".luarc.json", "{}")
    #expect(try file.write(second) == .written)
    #expect(try String(contentsOfFile: folder.path(TypesFile.path), encoding: .utf8) == second)
    #expect(try String(contentsOfFile: folder.path(".luarc.json"), encoding: .utf8) == "{}")
    try folder.save(TypesFile.path, "-- mine")
    #expect(throws: TypesFileError.foreign("\(folder.root)/\(TypesFile.path)")) {
      try file.write(first)
    }
    #expect(!file.isKept)
    #expect(try file.write(first, replacingAny: true) == .written)
    try FileManager.default.removeItem(atPath: folder.path("types"))
    try folder.save("types", "a file")
    #expect(throws: TypesFileError.self) { try file.write(first) }
  }
}
