-- Doesn't depend on the login.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Notes",

  state = { notes = moon.list { "Buy milk", "Call Eva" } },

  actions = { add = { "Adds a note", text = "string" }, clear = "Removes all notes" },
  reducers = {
    add = function(state, payload) table.insert(state.notes, payload.text) end,
    clear = function(state) state.notes = moon.list() end,
  },

  routes = {
    ["/notes"] = function() return { kind = "list", title = "Notes" } end,
    ["/notes/:number<int>"] = {
      parent = "/notes",
      screen = function(route) return { kind = "note", title = "Note " .. route.params.number } end,
    },
  },

  views = {
    list = function(screen, state)
      return {
        ui.when(#state.notes == 0, "Nothing yet"),
        ui.list(state.notes, function(note, i) return i .. ". " .. note end),
        ui.input { id = "text", label = "Note" },
        ui.actions {
          ui.button("Add", "add"),
          #state.notes > 0 and ui.button("Clear", "clear"),
          ui.button("Log out", "account/log_out"),
        },
      }
    end,
    note = function(screen, state)
      return state.notes[screen.params.number] or "There is no such note"
    end,
  },
}
