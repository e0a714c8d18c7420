-- Enter uses what has the focus: it goes into a directory and shows a file on the whole screen.
-- What the focus is on is looked at beside the list.
local function focused(type, title, payload)
  return { type = type, title = title, payload = payload, focus = true }
end

local function does(type, title, payload)
  return { type = type, title = title, payload = payload }
end

local up, open = does("up", "Up"), focused("open", "Go in, or look")
local trash = focused("trash", "Put into the trash")
local filter = does("/filter", "Show names with a text")
-- More than any directory has.
local first = does("move", "First entry", { by = -1000000 })
local last = does("move", "Last entry", { by = 1000000 })

return {
  {
    on = "list",
    h = up, left = up, backspace = up,
    l = open, right = open, focus = "look",
    -- Also those that are typed faster than the rows around the cursor are drawn.
    j = does("move", "Down", { by = 1 }), k = does("move", "Up", { by = -1 }),
    ["ctrl+u"] = does("move", "Up by ten", { by = -10 }),
    ["ctrl+d"] = does("move", "Down by ten", { by = 10 }),
    home = first, ["g g"] = first, ["end"] = last, G = last,
    ["g h"] = does("go", "Go to the top", { path = "", kind = "directory" }),

    space = focused("mark", "Mark, or take the mark away"),
    v = does("mark_all", "Mark all, or none"),
    c = does("unmark", "Take marks away, hold nothing"),

    y = focused("hold", "Take for copying", { mode = "copy" }),
    x = focused("hold", "Take for moving", { mode = "move" }),
    p = does("paste", "Put here what was taken"),
    d = trash, delete = trash,
    a = does("/new", "Make a file or directory"),
    r = focused("/rename", "Rename"),
    R = does("bulk", "Rename many"),
    u = does("undo", "Undo"),
    U = does("redo", "Do again"),

    f = filter, ["/"] = filter,
    s = does("/search", "Search below"),
    m = does("bookmark", "Bookmark, or take it away"),
    ["'"] = does("/bookmarks", "Bookmarks"),
    T = does("/trash", "Trash"),

    ["."] = does("show_hidden", "Show hidden, or not"),
    t = does("show_detail", "Sizes, dates or both"),
    [", n"] = does("sort", "Sort by name", { by = "name" }),
    [", s"] = does("sort", "Sort by size", { by = "size" }),
    [", d"] = does("sort", "Sort by date", { by = "date" }),
    ["ctrl+r"] = does("refresh", "Read again"),
  },
  { on = "new", ["ctrl+s"] = { tap = "save" } },
  { on = "rename", ["ctrl+s"] = { tap = "save" } },
  { on = "filter", ["ctrl+s"] = { tap = "save" } },
  { on = "search", ["ctrl+s"] = { tap = "save" } },
  { on = "bulk", ["ctrl+s"] = { tap = "save" } },
  { on = "check", ["ctrl+s"] = { tap = "save" } },
  { on = "bookmarks", d = focused("forget", "Take the bookmark away") },
  { on = "trash", E = does("/trash/empty", "Empty the trash"), u = does("undo", "Undo") },
}
