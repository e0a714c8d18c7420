local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Shows a screen with a form",

  state = { name = "" },

  actions = { greet = { "Remembers who is greeted", name = "string" } },

  reducers = {
    greet = function(state, payload)
      state.name = payload.name
    end,
  },

  -- The prompt opens this screen with `:open /feature`.
  routes = {
    ["/feature"] = function()
      return { title = "FEATURE" }
    end,
  },

  -- What the screen shows, drawn again whenever the state changes.
  views = {
    feature = function(screen, state)
      return {
        state.name ~= "" and "Hello, " .. state.name,
        ui.input { id = "name", label = "Name", required = true },
        ui.button("Greet", "greet"),
      }
    end,
  },
}
