local moon = require "moonwire"
local marks = require "marks"
local paths = require "paths"

local screens = {}

local sheet = moon.modal { once = true, style = "sheet" }

local function form(kind, title)
  return { option = sheet, screen = function() return { kind = kind, title = title } end }
end

screens.routes = {
  -- `path` comes beside the URL: names of files may have any signs.
  ["/in"] = {
    option = moon.push(),
    screen = function(route)
      local path = route.params.path or ""
      return { kind = "list", title = path == "" and "Files" or paths.name(path) }
    end,
  },
  ["/view"] = {
    option = moon.push(),
    screen = function(route)
      return { kind = "view", title = paths.name(route.params.path or "") }
    end,
  },
  ["/rename"] = {
    option = sheet,
    screen = function(route, state)
      local path = marks.at(state, route.params.path)
      return path and { kind = "rename", title = "Rename " .. paths.name(path) }
    end,
  },
  ["/bulk"] = {
    option = moon.modal { once = true, stack = true },
    screen = function(_, state)
      return state.bulk and { kind = "bulk", title = "Rename " .. #state.bulk.from }
    end,
  },
  ["/bulk/check"] = {
    parent = "/bulk",
    option = moon.push(),
    screen = function(_, state)
      return state.bulk and { kind = "check", title = "Old and new names" }
    end,
  },
  ["/new"] = form("new", "New"),
  ["/filter"] = form("filter", "Show names with"),
  ["/search"] = form("search", "Search"),
  ["/bookmarks"] = form("bookmarks", "Bookmarks"),
  ["/trash"] = form("trash", "Trash"),
  ["/trash/empty"] = form("empty", "Empty the trash?"),
}

local function list(path) return moon.nav.screen("/in", { path = path }) end

-- The directories on the way are below, so that going back leads up.
local function way(path)
  local lists = {}
  for place, directory in ipairs(paths.way(path)) do lists[place] = list(directory) end
  return moon.nav.set_navigation(lists)
end

-- A form is left once what it is for has begun.
local function dismiss(_, _, self)
  local top = self.top()
  if top and top.kind ~= "list" then return moon.nav.dismiss() end
end

screens.map_navigation = {
  up = function() return moon.nav.pop() end,
  open = function(action)
    local path, kind = action.payload.path, action.payload.kind
    if kind == "directory" then return moon.nav.push(list(path)) end
    return moon.route("/view", { path = path })
  end,
  go = function(action)
    local path, kind = action.payload.path, action.payload.kind
    local place = kind == "directory" and path or paths.parent(path)
    return { moon.nav.dismiss_to_root(), way(place) }
  end,
  bulk = function() return "/bulk" end,
  bulk_check = function() return "/bulk/check" end,
  bulk_rename = dismiss,
  rename = dismiss,
  create = dismiss,
  -- While a text is typed, the list below shows already what it leads to.
  filter = function(action, state, self)
    return not action.payload.is_typed and dismiss(action, state, self) or nil
  end,
  empty = dismiss,
}

-- Esc first takes marks away, then the filter, and only then goes up.
function screens.on_back(screen, state)
  if screen.kind ~= "list" then return end
  if next(state.marked) then return { type = "files/unmark_all", payload = {} } end
  if state.filter ~= "" then return { type = "files/filter", payload = { text = "" } } end
end

screens.lifecycle = {
  did_appear = function(screen, _, _, self)
    if screen.kind == "list" then
      self.dispatch("arrived", { path = screen.params.path or "" })
    elseif screen.kind == "trash" then
      self.dispatch "list_trash"
    end
  end,
}

return screens
