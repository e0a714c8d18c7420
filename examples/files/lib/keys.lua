-- Enter uses what has the focus: it goes into a directory and shows a file on the whole screen.
local function focused(type, title, payload)
  return { type = type, title = title, payload = payload, focus = true }
end

local function does(type, title, payload)
  return { type = type, title = title, payload = payload }
end

local up, enter = does("up", "Up"), focused("enter", "Go in, or look")
local trash = focused("trash", "Put into the trash")
local page_up = does("page", "Page up", { by = -1 })
local page_down = does("page", "Page down", { by = 1 })
-- More pages than any directory has.
local first = does("page", "First page", { by = -1000000 })
local last = does("page", "Last page", { by = 1000000 })

return {
  {
    on = "list",
    h = up, left = up, backspace = up,
    l = enter, right = enter,
    i = focused("look", "Look, also into a directory"),
    page_up = page_up, page_down = page_down, ["ctrl+u"] = page_up, ["ctrl+d"] = page_down,
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

    f = does("/filter", "Show names with a text"),
    s = does("/search", "Search below"),
    m = does("bookmark", "Bookmark, or take it away"),
    ["'"] = does("/bookmarks", "Bookmarks"),
    T = does("/trash", "Trash"),

    ["."] = does("show_hidden", "Show hidden, or not"),
    t = does("show_detail", "Sizes, dates or both"),
    [", n"] = does("sort", "Sort by name", { by = "name" }),
    [", s"] = does("sort", "Sort by size", { by = "size" }),
    [", d"] = does("sort", "Sort by date", { by = "date" }),
    ["+"] = does("rows", "Longer pages", { by = 5 }),
    ["-"] = does("rows", "Shorter pages", { by = -5 }),
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
