-- What can be done, with what it takes. What has the focus sends `card`, `column` and `item`.
local card_fields = { title = "string", text = "string?", labels = "string?", due = "string?" }

local function with(fields, others)
  local all = {}
  for name, type in pairs(fields) do all[name] = type end
  for name, type in pairs(others) do all[name] = type end
  return all
end

local subject = { card = "integer?", column = "integer?" }
local item = { card = "integer", item = "integer" }

return {
  add = with(card_fields, { "Makes a card, in a column and below a card",
    column = "integer?", below = "integer?" }),
  change = with(card_fields, { "Changes a card", card = "integer" }),
  copy = { "Makes another card like this one", card = "integer" },
  send = { "Moves a card to the column with a number", card = "integer", to = "integer" },
  move = with(subject, { "Moves a card or a column sideways", by = "integer" }),
  shift = with(subject, { "Moves a card or an item up or down", item = "integer?",
    by = "integer" }),
  archive = with(subject, { "Puts a card, or all of a column, into the archive" }),
  take_back = { "Takes a card out of the archive", card = "integer" },
  remove_card = { "Deletes a card", card = "integer" },

  add_items = { "Adds items to a checklist, one for each line", card = "integer",
    items = "string" },
  check = with(item, { "Ticks an item off, or takes the tick away" }),
  change_item = with(item, { "Changes the text of an item", text = "string" }),
  remove_item = with(item, { "Deletes an item" }),

  add_column = { "Makes a column, to the right of another one", title = "string",
    column = "integer?" },
  rename_column = { "Renames a column", column = "integer", title = "string" },
  remove_column = { "Deletes a column, and archives its cards", column = "integer" },

  add_board = { "Makes a board", name = "string", columns = "string" },
  rename_board = { "Renames a board", board = "integer", name = "string" },
  remove_board = { "Deletes a board with its cards", board = "integer" },
  show_board = { "Shows another board", board = "integer" },

  undo = "Undoes the last change, also one of an earlier run",
  redo = "Does again what was undone",
  edit = with(subject, { "Edits a card, an item or a column", item = "integer?" }),
  delete = with(subject, { "Asks whether a card, an item or a column is to be deleted",
    item = "integer?" }),
  list_items = { "Asks for items of a checklist", card = "integer" },
  open = with(subject, { "Shows a card, or makes one in a column" }),
  go = { "Shows a card of any board", card = "integer" },
  filter = { "Shows only cards with all these words", text = "string?" },
  search = { "Looks for cards on all boards", text = "string?" },
  turn = { "Shows the columns before or after those that are shown", by = "integer" },
  widen = { "Shows more or fewer columns side by side", by = "integer" },
  dense = "Shows cards closer together, or with gaps",
  discard = "Leaves a form and what was typed there",

  export = { "Writes the shown board to a file", name = "string", replace = "boolean?" },
  exported = { "A file was written", path = "string" },

  read = "Reads the boards of earlier runs",
  begun = { "The boards were read", boards = "list?", cards = "list?", steps = "list?",
    mark = "map?", window = "integer?", columns = "string" },
  keep = "Keeps what has changed for the next run",
  kept = { "Changes are kept", revision = "integer", writes = "integer" },
  overtaken = "Another window has kept something meanwhile",
  failed = { "The boards can't be read or kept", problem = "string" },
}
