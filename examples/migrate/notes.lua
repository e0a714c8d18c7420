-- The first version of a notebook. The version in `next` stores more about each note.
local moon = require "moonwire"

return moon.module {
  description = "Keeps notes",
  version = 1,

  state = { notes = moon.list() },

  actions = { add = { "Adds a note", text = "string" } },

  reducers = {
    add = function(state, payload)
      table.insert(state.notes, payload.text)
    end,
  },
}
