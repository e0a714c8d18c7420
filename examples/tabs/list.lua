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
    choose = { "Somebody wants to know more of a planet", place = "integer" },
    chosen = { "A planet was chosen", name = "string", moons = "integer" },
  },

  reducers = {
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

  -- Whoever chooses by its place has chosen the planet: that is what the others hear of.
  map_modules = {
    choose = function(action, state)
      local planet = state.planets[action.payload.place]
      return moon.replace("chosen", { name = planet.name, moons = planet.moons })
    end,
  },
}
