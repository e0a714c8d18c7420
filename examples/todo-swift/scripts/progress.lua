-- Counts what is done, and shows it below the list. Neither module knows the other's code.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Shows how much of the list is done",

  state = { done = 0, all = 0 },

  actions = {
    count = { "Notes the number of items", done = "integer", all = "integer" },
  },

  reducers = {
    count = function(state, payload)
      state.done, state.all = payload.done, payload.all
    end,
  },

  observe = {
    ["todos.items"] = function(items, _, self)
      local done = 0
      for _, item in ipairs(items) do
        if item.isDone then done = done + 1 end
      end
      self.dispatch("count", { done = done, all = #items })
    end,
  },

  extends = {
    ["todos/list#below"] = function(_, _, state)
      return state.all > 0 and ui.text(state.done .. " of " .. state.all .. " done")
    end,
  },
}
