local moon = require "moonwire"

return moon.module {
  description = "Takes orders, each of which takes a while to pack",
  state = { placed = 0, packed = 0 },
  actions = { place = {}, pack = {} },

  reducers = {
    place = function(state) state.placed = state.placed + 1 end,
    pack = function(state) state.packed = state.packed + 1 end,
  },

  effects = {
    place = function(_, self)
      moon.sleep(0.3)
      moon.log.info("packed")
      self.dispatch("pack")
    end,
  },
}
