local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "What is new",

  routes = {
    ["/news"] = function() return { kind = "list", title = "News" } end,
    ["/news/:number<int>"] = function(route)
      return { kind = "article", title = "News " .. route.params.number }
    end,
  },

  views = {
    list = function() return ui.open("The first lamp is sold", "/news/1") end,
    article = function() return ui.open("See the lamp", "/shop/Lamp") end,
  },
}
