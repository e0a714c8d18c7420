local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Shows one thing, whatever it is",

  actions = { start = { "Shows a thing", name = "string", facts = "map?" } },

  routes = {
    ["/detail/:name"] = {
      name = "detail",
      screen = function(route)
        return { title = route.params.name }
      end,
    },
  },

  -- `params` holds the parameters in the URL and those passed separately.
  views = {
    detail = function(screen)
      local facts = {}
      for name, value in pairs(screen.params.facts or {}) do
        facts[#facts + 1] = { name, value }
      end
      return { ui.facts(facts) }
    end,
  },

  map_navigation = {
    start = function(action)
      local url = moon.url("detail", { name = action.payload.name })
      return moon.nav.push(moon.nav.screen(url, action.payload))
    end,
  },
}
