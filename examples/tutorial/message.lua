-- A screen that is shown over the others, and greets whoever the URL names.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Greets people",

  routes = {
    ["/message/:username"] = {
      name = "message",
      option = moon.modal(),
      screen = function(route)
        return { title = "Message", props = { username = route.params.username } }
      end,
    },
  },

  views = {
    message = function(screen)
      return { ui.text("Nice to meet you " .. screen.props.username, { size = "large" }) }
    end,
  },
}
