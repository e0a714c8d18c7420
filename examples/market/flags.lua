local moon = require "moonwire"

return moon.module {
  description = "Which features are on",

  state = { offers = false },
  actions = { switch = { "Turns a feature on or off", name = "string" } },
  reducers = {
    switch = function(state, payload)
      state[payload.name] = not state[payload.name]
    end,
  },
}
