-- Enter shows the card that has the focus, or makes one in the column that has it.
local function focused(type, title, payload)
  return { type = type, title = title, payload = payload, focus = true }
end

local function does(type, title, payload)
  return { type = type, title = title, payload = payload }
end

local left, right = focused("move", "Left", { by = -1 }), focused("move", "Right", { by = 1 })
local edit = focused("edit", "Edit, or rename a column")
local delete = focused("delete", "Delete, after a question")
local filter, undo, redo = does("/filter", "Filter"), does("undo", "Undo"), does("redo", "Do again")

local board = {
  on = "board",
  n = focused("/new", "New card"),
  C = focused("/column", "New column"),
  e = edit,
  y = focused("copy", "Copy"),
  d = delete, delete = delete,
  H = left, ["<"] = left, L = right, [">"] = right,
  K = focused("shift", "Up", { by = -1 }),
  J = focused("shift", "Down", { by = 1 }),
  a = focused("archive", "Archive a card, or those of a column"),
  A = does("/archive", "Archive"),
  b = does("/boards", "Boards"),
  o = does("/overview", "Overview"),
  x = does("/export", "Export to Markdown"),
  s = does("/search", "Search all boards"),
  f = filter, ["/"] = filter,
  F = does("filter", "Show all cards"),
  ["["] = does("turn", "Columns before", { by = -1 }),
  ["]"] = does("turn", "Columns after", { by = 1 }),
  ["+"] = does("widen", "More columns side by side", { by = 1 }),
  ["-"] = does("widen", "Fewer columns side by side", { by = -1 }),
  z = does("dense", "Cards closer together, or with gaps"),
  ["ctrl+s"] = does("keep", "Try again to read or keep the boards"),
}

for number = 1, 9 do
  board[tostring(number)] = focused("send", "To column " .. number, { to = number })
end

local function saves(kind) return { on = kind, ["ctrl+s"] = { tap = "save" } } end

return {
  -- Everywhere: the undo of the stage would take back the state, but not what is kept.
  u = undo, U = redo, ["ctrl+r"] = redo,
  board,
  {
    on = "card",
    e = edit, d = delete, delete = delete,
    i = focused("list_items", "New items"),
    H = left, ["<"] = left, L = right, [">"] = right,
    K = focused("shift", "Up", { by = -1 }),
    J = focused("shift", "Down", { by = 1 }),
    a = focused("archive", "Archive"),
    r = focused("take_back", "Take out of the archive"),
  },
  {
    on = "archive",
    r = focused("take_back", "Take out of the archive"),
    d = delete, delete = delete,
  },
  {
    on = "boards",
    n = does("/boards/new", "New board"),
    e = focused("/boards/rename", "Rename"),
    d = focused("/boards/delete", "Delete, after a question"),
  },
  { on = "question", y = { tap = "yes" }, n = { tap = "no" } },
  saves "new", saves "edit", saves "items", saves "name", saves "filter", saves "search",
  saves "export", saves "new_board",
}
