local moon = require "moonwire"

return moon.module {
  description = "Counts",
  state = { count = 0 },

  actions = {
    add = { "Adds to the count", by = "integer?" },
    reset = { "Sets the count back to 0" },
  },

  reducers = {
    add = function(state, payload)
      state.count = state.count + (payload.by or 1)
    end,

    reset = function(state)
      state.count = 0
    end,
  },
}
