-- The start screen. It shows a name that it knows nothing of: the module `user` fills it in.
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
        -- The URL of a screen that another module has, by its name.
        ui.open("Show me a message", moon.url("message", { username = name })),
        ui.open("Log out", "/logout"),
      }
    end,
  },
}
