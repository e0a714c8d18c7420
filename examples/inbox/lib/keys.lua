-- Enter shows the feed or the article that has the focus.
local function focused(type, title, payload)
  return { type = type, title = title, payload = payload, focus = true }
end

local function does(type, title, payload)
  return { type = type, title = title, payload = payload }
end

local show, open = focused("show", "Show"), focused("open", "Read")
local next_unread = { tap = "Next unread" }
local save = { tap = "save" }

return {
  -- The stage's own `u` would undo actions, but not what the storage has.
  { on = "*", u = does("undo", "Undo marks and stars") },
  {
    on = "feeds",
    l = show, right = show, n = next_unread,
    A = focused("mark_all", "Mark all in it as read"),
    r = focused("refresh_one", "Refresh this feed"),
    R = does("refresh", "Refresh all", { is_forced = true }),
    a = does("/add", "Add a feed"),
    e = focused("/edit", "Title and category"),
    d = focused("/remove", "Remove the feed"),
    ["/"] = does("/search", "Search"),
    I = does("choose", "Import feeds (OPML)", { form = "import" }),
    E = does("choose", "Export feeds (OPML)", { form = "export" }),
  },
  {
    on = "list",
    l = open, right = open, n = next_unread, A = { tap = "All read" },
    m = focused("mark", "Read or unread"),
    s = focused("star", "Star, or not"),
    ["/"] = does("/search", "Search"),
  },
  {
    on = "article",
    n = next_unread,
    o = { tap = "link", title = "The whole link" }, y = { tap = "link", title = "The whole link" },
    m = { tap = "mark", title = "Read or unread" }, s = { tap = "star", title = "Star, or not" },
    ["/"] = does("/search", "Search"),
  },
  { on = "add", ["ctrl+s"] = save },
  { on = "edit", ["ctrl+s"] = save },
  { on = "import", ["ctrl+s"] = save },
  { on = "export", ["ctrl+s"] = save },
}
