local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Things to buy",

  routes = {
    ["/shop"] = function() return { kind = "list", title = "Shop" } end,
    ["/shop/:thing"] = function(route)
      return { kind = "thing", title = route.params.thing }
    end,
  },

  views = {
    list = function()
      return { ui.open("Lamp", "/shop/Lamp"), ui.open("Chair", "/shop/Chair") }
    end,
    -- A slot for extensions of other modules.
    thing = function(screen)
      return { "A fine " .. screen.title, ui.slot("below", { data = { thing = screen.title } }) }
    end,
  },
}
