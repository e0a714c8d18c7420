local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "What the person has chosen",

  state = { name = "" },

  actions = {
    rename = { "Changes the person's name", name = "string" },
    forget = "Removes what the person has made. Any module can listen to this",
  },

  reducers = {
    rename = function(state, payload)
      state.name = payload.name
    end,

    forget = function(state)
      state.name = ""
    end,
  },

  routes = {
    ["/settings"] = function()
      return { title = "Settings" }
    end,
  },

  views = {
    settings = function(screen, state)
      return {
        ui.input { id = "name", label = "Name", value = state.name },
        ui.button("Save", "rename"),
        ui.button("Forget everything", "forget", nil, { inputs = false }),
      }
    end,
  },
}
