/// The modules that the soak test edits, in good and in hostile versions.
enum Scripts {
  /// The maximum number of elements of the healthy module's list.
  static let itemsMax = 64

  /// Returns a healthy module: a counter, a list, and a reducer that fails on request.
  static func tally(serial: Int) -> String {
    """
    local moon = require "moonwire"
    local shared = require "shared"
    if type(shared) ~= "table" then error("half a library") end
    return moon.module {
      description = "serial \(serial)",
      version = \(serial),
      migrate = function(old) old.shape = \(serial) return old end,
      state = { count = 0, items = moon.list(), shape = 0 },
      reducers = {
        add = function(state, payload) state.count = shared.sum(state.count, payload.by) end,
        push = function(state, payload)
          table.insert(state.items, payload.id)
          if #state.items > \(itemsMax) then table.remove(state.items, 1) end
        end,
        maybe = function(state, payload)
          state.count = state.count + 1000
          if payload.bad then shared.fail() end
          state.count = state.count - 1000
        end,
      },
    }
    """
  }

  /// Returns a healthy module that listens to the others.
  static func mirror(serial: Int) -> String {
    """
    return {
      description = "serial \(serial)",
      state = { seen = 0, added = 0, heard = 0 },
      reducers = {
        seen = function(state) state.seen = state.seen + 1 end,
        ["tally/add"] = function(state) state.added = state.added + 1 end,
        ["victim/add"] = function(state) state.heard = state.heard + 1 end,
      },
      observe = {
        ["tally.count"] = function(new, old, self) self.dispatch("seen") end,
      },
    }
    """
  }

  /// Returns the library of the first one.
  static func shared(serial: Int) -> String {
    """
    return {
      serial = \(serial),
      sum = function(a, b) return a + b end,
      fail = function() error("as asked") end,
    }
    """
  }

  /// Returns a module that comes and goes.
  static func guest(serial: Int) -> String {
    """
    return {
      description = "serial \(serial)",
      state = { n = 0 },
      on_start = function(self) self.state("tally.count") end,
      on_stop = function(self) self.dispatch("last") end,
      reducers = {
        add = function(state) state.n = state.n + 1 end,
        last = function(state) state.last = \(serial) end,
      },
    }
    """
  }

  /// Returns one of many modules that come and go.
  static func wanderer(serial: Int) -> String {
    """
    local data = {}
    for i = 1, 200 do data[i] = ("wanderer %d of %d"):format(i, \(serial)) end
    return {
      description = "serial \(serial)",
      state = { data = data },
      reducers = { ["tally/push"] = function(state) state.last = \(serial) end },
    }
    """
  }

  /// Returns the module that becomes hostile, in a version that works.
  static func victim(serial: Int, before: String = "", after: String = "", more: String = "")
    -> String
  {
    """
    return {
      description = "serial \(serial)",
      state = { n = 0 },
      reducers = {
        add = function(state)
          \(before)
          state.n = state.n + 1
          \(after)
        end,
        ping = function(state) state.pings = (state.pings or 0) + 1 end,
      },
      \(more)
    }
    """
  }

  /// Modules that load and are hostile.
  ///
  /// Each counts correctly or fails.
  static let hostile: [@Sendable (Int) -> String] = [
    { victim(serial: $0, before: "error('at once')") },
    { victim(serial: $0, after: "error({ code = 7 })") },
    { victim(serial: $0, after: "state.n = nil + 1") },
    { victim(serial: $0, after: "while true do end") },
    { victim(serial: $0, after: "while true do pcall(function() while true do end end) end") },
    {
      victim(serial: $0, after: "local t = {} while true do t[#t + 1] = ('x'):rep(9999) .. #t end")
    },
    { victim(serial: $0, after: "local s = 'x' while true do s = s .. s end") },
    { victim(serial: $0, after: "local function f() return f() + 1 end f()") },
    { victim(serial: $0, after: "state.f = function() end") },
    { victim(serial: $0, more: "observe = { ['victim.n'] = function() error('watching') end },") },
    {
      victim(
        serial: $0,
        more: """
          observe = {
            ['victim.n'] = function(_, _, self) self.dispatch('ping') end,
            ['victim.pings'] = function(_, _, self) self.dispatch('ping') end,
          },
          """)
    },
    { victim(serial: $0, more: "on_start = function() error('starting') end,") },
    { victim(serial: $0, more: "on_stop = function() error('stopping') end,") },
    { victim(serial: $0, more: "on_stop = function() while true do end end,") },
  ]

  /// Files that aren't valid modules.
  ///
  /// Each leaves the old version in service.
  static let unloadable: [@Sendable (Int) -> String] = [
    { _ in "" },
    { "return { description = \"serial \($0)\", state = {" },
    { "return { description = \"serial \($0)\", reducer = {} }" },
    { "return \($0)" },
    { "-- \($0)\nerror('while loading')" },
    { "-- \($0)\nwhile true do end" },
    { "-- \($0)\nlocal t = {} while true do t[#t + 1] = ('x'):rep(9999) .. #t end" },
    { "\u{1B}Lua \($0)" },
    { "return { version = 0x7fffffff - \($0), state = setmetatable({}, { __index = error }), 1 }" },
    { "local s = '\($0)' return require(s)" },
  ]

  /// Versions of the healthy module that can't migrate its state.
  static let badMigrations: [@Sendable (Int) -> String] = [
    { "return { version = \($0), state = {}, migrate = function() error('no') end }" },
    { "return { version = \($0), state = {}, migrate = function() return 1 end }" },
    { "return { version = \($0), state = {}, migrate = function() while true do end end }" },
  ]
}
