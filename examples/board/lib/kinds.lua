-- The records: boards, cards, the steps that can be undone, and a mark for the next run.
local moon = require "moonwire"

local all = {
  moon.entities.kind {
    name = "board",
    fields = {
      id = "integer", name = "string", last_column = "integer",
      -- From left to right. A column has the ids of its cards, from top to bottom.
      columns = { { id = "integer", title = "string", cards = "integer[]" } },
      -- The latest last, each with the column that it came from.
      archive = { { card = "integer", column = "integer" } },
    },
  },
  moon.entities.kind {
    name = "card",
    fields = {
      id = "integer", title = "string", text = "string", labels = "string[]", due = "string?",
      checklist = { { id = "integer", text = "string", done = "boolean" } },
    },
  },
  moon.entities.kind {
    name = "step",
    fields = {
      id = "integer", text = "string", is_done = "boolean",
      -- The records as they were and as they became; neither if there was none.
      edits = { { kind = "string", id = "integer", before = "map?", after = "map?" } },
    },
  },
  -- One record: the board that was shown last, how often anything was kept, and the window that did
  -- so last.
  moon.entities.kind {
    name = "mark",
    fields = { id = "integer", shown = "integer", writes = "integer", window = "integer?" },
  },
}

local kinds = { undoable = { "board", "card", "step" } }

-- A store in the state: to be read by views, and changed by reducers.
function kinds.memory(state) return moon.entities.memory(all, state.records) end

-- The store of the disk, whose calls wait.
function kinds.stored() return moon.entities.stored(all) end

return kinds
