-- The third version. In the first, a note was a string. The second made it a table, so that it can
-- be marked as done. The third adds an id, so that a note can be found after it has moved.
local moon = require "moonwire"

-- One step for each version, oldest first, since saved notes may be of any version. Never change a
-- step that has been released.
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

  -- Increase this whenever the shape of `state` changes. A new field alone doesn't need it: a
  -- reload adds fields that an old slice lacks, with their initial values.
  version = 3,

  -- Called once if the slice has an older version. Returns the new slice. If it fails, so does the
  -- reload, and the previous version stays in service with its state.
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
      moon.refuse("there is no note " .. payload.id)
    end,
  },
}
