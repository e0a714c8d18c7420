local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Asks who is there",

  -- `done` says what has happened. What follows from it isn't the login's business.
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
    -- The value of the input comes along with the action, under its id.
    login = function()
      return {
        ui.input { id = "user", label = "Your name", required = true },
        ui.button("Log in", "done"),
      }
    end,
  },

  -- All of the window: what was shown before is gone, and `:back` doesn't lead to it.
  map_navigation = {
    start = function()
      return moon.nav.set(moon.nav.stack { "/login" })
    end,
  },
}
