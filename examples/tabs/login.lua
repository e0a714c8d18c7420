local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Asks who is there",

  actions = {
    start = { "Shows the login" },
    stop = { "The login is over" },
    done = { "Somebody has logged in", user = "string" },
  },

  routes = {
    ["/login"] = function()
      return { title = "Welcome" }
    end,
  },

  views = {
    login = function()
      return {
        ui.input { id = "user", label = "Your name", required = true },
        ui.button("Log in", "done"),
      }
    end,
  },

  map_navigation = {
    start = function()
      return moon.nav.set(moon.nav.stack { "/login" })
    end,
  },
}
