local moon = require "moonwire"

return moon.module {
  description = "Keeps a list of titles",

  -- This module's part of the state, as a new session begins.
  state = { titles = moon.list() },

  -- What can happen here, with the fields of each payload.
  actions = {
    add = { "Adds a title", title = "string" },
    clear = "Removes all titles",
  },

  -- Nothing else changes the state.
  reducers = {
    add = function(state, payload)
      if payload.title == "" then moon.refuse "a title has at least one letter" end
      state.titles[#state.titles + 1] = payload.title
    end,

    clear = function(state)
      state.titles = moon.list()
    end,
  },
}
