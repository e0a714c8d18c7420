local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Who is there, and what they like",

  state = { user = "", dark = false },

  actions = {
    start = { "Somebody is there", user = "string" },
    stop = { "Nobody is there" },
    switch = { "Turns the light off or on", dark = "boolean" },
    log_out = { "Somebody wants to leave" },
  },

  reducers = {
    start = function(state, payload)
      state.user = payload.user
    end,
    -- Forgets the user and keeps `dark` for the next one.
    stop = function(state)
      state.user = ""
    end,
    switch = function(state, payload)
      state.dark = payload.dark
    end,
  },

  routes = {
    ["/settings"] = function()
      return { title = "Settings" }
    end,
  },

  views = {
    settings = function(screen, state)
      return {
        "Logged in as " .. state.user,
        ui.toggle { id = "dark", title = "Dark", value = state.dark },
        ui.button("Save", "switch"),
        ui.button("Log out", "log_out"),
      }
    end,
  },
}
