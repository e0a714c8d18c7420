-- A modal screen that greets the person named in the URL.
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
