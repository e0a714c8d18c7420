-- The third version. A note was a text in the first; the second made it a table, so that it could
-- be done; the third gives it an id, so that it can be moved and still be found.
local moon = require "moonwire"

-- One step for each version, oldest first: somebody's notes may be of any of them. A step is never
-- changed once people have used it.
local steps = {
  [1] = function(state)
    for index, text in ipairs(state.notes) do
      state.notes[index] = { text = text, done = false }
    end
  end,
  [2] = function(state)
    for index, note in ipairs(state.notes) do note.id = index end
    state.next_id = #state.notes + 1
  end,
}

return moon.module {
  description = "Keeps notes, and which of them are done",

  -- The number to change whenever `state` has another shape. It isn't needed for a field that is
  -- merely new: a reload adds those that an old slice lacks, with what they are here.
  version = 3,

  -- Called once when the slice is of an older version. What it returns is the slice; if it fails,
  -- the reload does, and the version before stays in service with its state.
  migrate = function(state, from)
    for version = from, 2 do steps[version](state) end
    return state
  end,

  state = { notes = moon.list(), next_id = 1 },

  actions = {
    add = { "Adds a note", text = "string" },
    finish = { "Marks a note as done", id = "integer" },
  },

  reducers = {
    add = function(state, payload)
      local note = { id = state.next_id, text = payload.text, done = false }
      state.next_id = note.id + 1
      table.insert(state.notes, note)
    end,

    finish = function(state, payload)
      for _, note in ipairs(state.notes) do
        if note.id == payload.id then note.done = true return end
      end
      error("there is no note " .. payload.id, 0)
    end,
  },
}
