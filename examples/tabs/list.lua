local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "A list of planets",

  state = {
    planets = {
      { name = "Mercury", moons = 0 },
      { name = "Earth", moons = 1 },
      { name = "Mars", moons = 2 },
    },
    visits = {},
  },

  actions = {
    stop = { "Nobody looks at planets any more" },
    choose = { "Somebody taps a planet", place = "integer" },
    chosen = { "A planet was chosen", name = "string", moons = "integer" },
  },

  reducers = {
    stop = function(state)
      state.visits = {}
    end,
    chosen = function(state, payload)
      state.visits[payload.name] = (state.visits[payload.name] or 0) + 1
    end,
  },

  routes = {
    ["/list"] = function()
      return { title = "Planets" }
    end,
  },

  views = {
    list = function(screen, state)
      return ui.list(state.planets, function(planet, place)
        return ui.button(planet.name, "choose", { place = place })
      end)
    end,
  },

  -- A button knows only a position in the list. This replaces its action by one that names the
  -- planet, for the other modules.
  map_modules = {
    choose = function(action, state)
      local planet = state.planets[action.payload.place]
      return moon.replace("chosen", { name = planet.name, moons = planet.moons })
    end,
  },
}
