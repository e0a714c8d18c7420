-- The modal example: the screen is presented, and a button dismisses it.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Greets somebody over whatever is shown",

  routes = {
    ["/message/:name"] = {
      option = moon.modal(),
      screen = function(route)
        return { title = "Message", props = { name = route.params.name } }
      end,
    },
  },

  views = {
    message = function(screen)
      return { ui.text("Hello, " .. screen.props.name .. "!"), ui.button("Close", "nav/dismiss") }
    end,
  },
}
