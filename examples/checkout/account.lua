local moon = require "moonwire"

return moon.module {
  description = "Who is buying",

  state = { name = "Ada", points = 0 },

  actions = {
    rename = { "Changes the name", name = "string" },
  },

  reducers = {
    rename = function(state, payload) state.name = payload.name end,
    -- Every piece that is paid for is a point.
    ["checkout/paid"] = function(state, payload) state.points = state.points + payload.count end,
  },
}
