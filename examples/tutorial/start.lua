-- The start screen. The module `user` adds the name that it shows.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "The first screen",

  routes = {
    ["/start"] = {
      option = moon.root(),
      screen = function()
        return { title = "Start", props = { name = "unknown user" } }
      end,
    },
  },

  views = {
    start = function(screen)
      local name = screen.props.name
      return {
        ui.heading("Hello " .. name .. "!"),
        -- The URL of another module's screen, by the name of its route.
        ui.open("Show me a message", moon.url("message", { username = name })),
        ui.open("Log out", "/logout"),
      }
    end,
  },
}
