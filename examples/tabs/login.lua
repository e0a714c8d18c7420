local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Asks who is there",

  -- `done` says what has happened. Other modules decide what follows from it.
  actions = {
    start = { "Shows the login" },
    done = { "Somebody has logged in", user = "string" },
  },

  routes = {
    ["/login"] = function()
      return { title = "Welcome" }
    end,
  },

  views = {
    -- The input's value is added to the action's payload, under the input's id.
    login = function()
      return {
        ui.input { id = "user", label = "Your name", required = true },
        ui.button("Log in", "done"),
      }
    end,
  },

  -- Replaces the whole window, so `:back` doesn't lead to the earlier screens.
  map_navigation = {
    start = function()
      return moon.nav.set(moon.nav.stack { "/login" })
    end,
  },
}
