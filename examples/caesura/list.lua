-- A module of Caesura: a state, an action type, a reducer and a navigation mapper.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "A list of cities",

  state = { items = moon.list(), isLoading = false },

  actions = {
    start = { "The list is shown" },
    stop = { "The list isn't needed any more" },
    fetch = { "Asks for the cities" },
    fetched = { "Here they are", items = "string[]" },
    select = { "Somebody taps a city", index = "integer" },
    selected = { "A city was selected", title = "string" },
  },

  reducers = {
    fetch = function(state)
      state.isLoading = true
    end,
    fetched = function(state, payload)
      state.items = payload.items
      state.isLoading = false
    end,
    stop = function(state)
      state.items = moon.list()
    end,
  },

  -- In Caesura, the dispatcher of the API layer answers an action with others, after the reducers.
  after_reduce = {
    on = "list/fetch",
    run = function()
      return { type = "fetched", payload = { items = { "Oslo", "Lima", "Kyoto" } } }
    end,
  },

  routes = {
    ["/list"] = function()
      return { title = "Cities" }
    end,
  },

  views = {
    list = function(screen, state)
      if state.isLoading then
        return { ui.text "Loading" }
      end
      return ui.list(state.items, function(item, index)
        return ui.button(item, "select", { index = index })
      end)
    end,
  },

  map_modules = {
    select = function(action, state)
      return moon.replace("selected", { title = state.items[action.payload.index] })
    end,
  },
}
