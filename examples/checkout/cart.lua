local moon = require "moonwire"

return moon.module {
  description = "What is to be bought",

  state = { count = 0, price = 3 },

  actions = {
    add = { "Puts pieces into the cart", count = "integer?" },
    clear = "Empties the cart",
  },

  reducers = {
    add = function(state, payload) state.count = state.count + (payload.count or 1) end,
    clear = function(state) state.count = 0 end,
  },
}
