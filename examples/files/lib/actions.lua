-- The actions of the app. A path is relative to the directory of the settings.
local kind = "file|directory"
local moves = { { from = "string", to = "string" } }

return {
  -- Looking around
  arrived = { "The screen of a directory is on top", path = "string" },
  refresh = "Reads the directory again",
  changed = "Another program has changed something in the directory",
  listed = {
    "The directory was read", path = "string", entries = "list", left_out = "integer",
    problem = "string?",
  },
  up = "Goes to the directory above",
  open = {
    "Goes into a directory, or shows a file on a screen of its own", path = "string", kind = kind,
  },
  go = { "Goes to a directory, or to the one that a file is in", path = "string", kind = kind },
  look = { "Moves to an entry, and shows beside the list what is in it", path = "string" },
  looked = {
    "It was read", path = "string", about = "string", lines = "string[]", note = "string?",
    image = "string?",
  },
  read = { "Reads a file for a screen of its own", path = "string" },
  was_read = {
    "It was read", path = "string", about = "string", lines = "string[]", note = "string?",
    image = "string?",
  },
  move = { "Moves in the list", by = "integer" },
  filter = {
    "Shows only names that have a text in them", text = "string?", is_typed = "boolean?",
  },
  search = { "Looks for a name in the directory and below it", text = "string?" },
  found = {
    "The search has ended", text = "string", entries = { { path = "string", kind = kind } },
  },

  -- Ways of looking
  sort = { "Sorts the list; a second time, the other way round", by = "name|size|date" },
  show_hidden = "Shows hidden entries, or hides them again",
  show_detail = "Shows sizes, dates or both",
  bookmark = "Marks the directory with a bookmark, or takes it away",
  forget = { "Takes a bookmark away", path = "string" },
  read_kept = "Reads what was kept from an earlier run",
  keep = "Keeps bookmarks and ways of looking for the next run",
  kept = { "What was kept from an earlier run", values = "map" },

  -- Choosing
  mark = { "Marks an entry, or takes the mark away", path = "string?" },
  mark_all = "Marks all that are shown, or takes all of these marks away",
  unmark_all = "Takes all marks away",
  unmark = "Takes all marks away, and forgets what was taken",
  hold = { "Takes what is marked, or the one entry", path = "string?", mode = "copy|move" },

  -- Changing
  paste = "Copies or moves what was taken into the directory",
  trash = { "Puts what is marked, or the one entry, into the trash", path = "string?" },
  list_trash = "Reads what is in the trash",
  trash_listed = {
    "It was read", items = { { path = "string", origin = "string" } }, count = "integer",
  },
  restore = { "Puts something back from the trash", path = "string", origin = "string" },
  empty = "Removes all that is in the trash",
  rename = { "Gives an entry another name", path = "string", name = "string" },
  create = {
    "Makes an empty file, or a directory for a name with / at its end, and those on the way",
    name = "string",
  },
  bulk = "Begins to rename what is marked, or all that are shown",
  bulk_check = { "Shows what new names lead to", names = "string" },
  bulk_rename = "Gives the new names",
  undo = "Takes back the last change of files",
  redo = "Does it again",
  progressed = { "A long job goes on", done = "integer", all = "integer" },
  ended = {
    "A change of files has ended", kind = "do|undo|redo|empty", text = "string", moves = moves,
    made = "string[]", failures = "string[]",
    left = { "?", text = "string", moves = moves, made = "string[]" },
  },
}
