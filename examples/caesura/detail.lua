local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "One city",

  state = { title = "", seen = 0 },

  actions = {
    start = { "Shows a city", title = "string" },
    stop = { "Nothing is shown any more" },
  },

  reducers = {
    start = function(state, payload)
      state.title = payload.title
      state.seen = state.seen + 1
    end,
    stop = function(state)
      state.title = ""
    end,
  },

  routes = {
    ["/detail"] = function(route, state)
      return { title = state.title }
    end,
  },

  views = {
    detail = function(screen, state)
      return { ui.text(state.title .. ", seen: " .. state.seen) }
    end,
  },

  -- Caesura's NavigationActionMapper. In Caesura a mapped action never reaches the reducers. Here
  -- it is reduced before the mapper is called, so the route finds the title in the state.
  map_navigation = {
    start = function()
      return moon.nav.push "/detail"
    end,
  },
}
