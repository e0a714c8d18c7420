-- A screen that covers another. It needs no listeners: the covered screen's are called.
local moon = require "moonwire"

return moon.module {
  description = "What people say of a video",

  routes = {
    ["/comments/:id"] = {
      option = moon.modal(),
      screen = function(route)
        return { title = "Comments on " .. route.params.id, body = { "Nobody has said anything." } }
      end,
    },
  },
}
