-- Enter shows the card that has the focus.
local function focused(type, title, payload)
  return { type = type, title = title, payload = payload, focus = true }
end

local function does(type, title) return { type = type, title = title } end

return {
  {
    on = "board",
    n = does("/new", "New card"),
    e = focused("/card/edit", "Edit"),
    d = focused("remove", "Delete"),
    H = focused("move", "To the column before", { by = -1 }),
    L = focused("move", "To the next column", { by = 1 }),
    K = focused("shift", "Up", { by = -1 }),
    J = focused("shift", "Down", { by = 1 }),
    f = does("/filter", "Show only cards with a text"),
    F = does("filter", "Show all cards"),
    a = does("archive", "Archive the last column"),
    A = does("/archive", "Archive"),
    o = does("/overview", "Overview"),
    u = does("undo", "Undo"),
    U = does("redo", "Do again"),
  },
  { on = "card", e = { tap = "edit" } },
  { on = "archive", b = focused("take_back", "Take out of the archive"), u = does("undo", "Undo") },
  { on = "new", ["ctrl+s"] = { tap = "save" } },
  { on = "edit", ["ctrl+s"] = { tap = "save" } },
  { on = "filter", ["ctrl+s"] = { tap = "save" } },
}
