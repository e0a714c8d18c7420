-- A module: a part of the state, the actions that change it, and a screen.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Counts",

  -- This module's part of the state, as a new session begins.
  state = { count = 0 },

  -- What can happen here, with the fields of each payload. The prompt completes them.
  actions = {
    add = { "Adds to the count", by = "integer?" },
    reset = "Sets the count back to 0",
  },

  -- Nothing else changes the state.
  reducers = {
    add = function(state, payload)
      state.count = state.count + (payload.by or 1)
    end,

    reset = function(state)
      state.count = 0
    end,
  },

  -- The URLs of this module's screens. The prompt opens one with `:open /`.
  routes = {
    ["/"] = function()
      return { title = "Counter" }
    end,
  },

  -- What a screen shows, drawn again whenever the state changes. Buttons dispatch actions.
  views = {
    counter = function(screen, state)
      return {
        "Count: " .. state.count,
        ui.button("Add", "add"),
        state.count ~= 0 and ui.button("Reset", "reset"),
      }
    end,
  },
}
