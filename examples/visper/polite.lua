-- A PresenterFeature: it enriches the screens of another feature, which doesn't depend on it.
local moon = require "moonwire"

return moon.module {
  description = "Adds a title to every message",

  presenters = {
    { route = "/message/:name", run = function(screen, route)
      screen.title = "A message for " .. route.params.name
    end },
  },
}
