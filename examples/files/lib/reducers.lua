-- Looking around and choosing.
local moon = require "moonwire"
local marks = require "marks"
local paths = require "paths"

local reducers = {}

function reducers.arrived(state, payload)
  if state.place ~= payload.path then
    state.place, state.filter = payload.path, ""
    state.looked, state.said = nil, nil
  end
  for path in pairs(state.lists) do
    if not paths.is_within(state.place, path) then state.lists[path] = nil end
  end
end

-- The place of the entry with a name; nil if there is none.
local function place_of(list, name)
  for place, entry in ipairs(list.entries) do
    if entry.name == name then return place end
  end
end

local function move(list, place) list.cursor = math.max(1, math.min(place, #list.entries)) end

-- Leads the focus to an entry. Until it is there, `trail` has the names on its way.
local function lead(list, place)
  local before = list.entries[list.cursor]
  move(list, place)
  local now = list.entries[list.cursor]
  if not now or now.name == before.name then return end
  if now.name == list.seen then
    list.trail = nil
  else
    list.trail = list.trail or {}
    list.trail[before.name], list.trail[now.name] = true, true
  end
end

-- The name of what the cursor is to be on: where one goes to, or comes from, or what it was on.
local function wanted(state, path, before)
  if state.goal and paths.parent(state.goal) == path then return paths.name(state.goal) end
  local entry = before and before.entries[before.cursor]
  if entry then return entry.name end
  local is_above = path == paths.parent(state.place)
  return is_above and paths.name(state.place) or nil
end

function reducers.listed(state, payload)
  local before = state.lists[payload.path]
  local list = {
    entries = payload.entries, left_out = payload.left_out, problem = payload.problem,
    seen = before and before.seen, trail = before and before.trail,
  }
  local name = wanted(state, payload.path, before)
  move(list, name and place_of(list, name) or before and before.cursor or 1)
  if state.goal and paths.parent(state.goal) == payload.path then state.goal = nil end
  state.lists[payload.path] = list
end

function reducers.move(state, payload)
  local list = state.lists[state.place]
  if list then lead(list, list.cursor + payload.by) end
end

function reducers.up(state)
  if state.place == "" then
    moon.refuse "This is the top: nothing above the directory of the settings is shown."
  end
end

-- The cursor goes with the focus, unless that is behind it, on its way there.
function reducers.look(state, payload)
  local list = state.lists[paths.parent(payload.path)]
  local place = list and place_of(list, paths.name(payload.path))
  if not place then return end
  list.seen = paths.name(payload.path)
  if place == list.cursor or not (list.trail and list.trail[list.seen]) then
    list.cursor, list.trail = place, nil
  end
end

-- The cursor is there once the directory has been read.
function reducers.go(state, payload) state.goal = payload.path end

function reducers.looked(state, payload) state.looked = payload end

function reducers.was_read(state, payload) state.read = payload end

function reducers.filter(state, payload) state.filter = payload.text or "" end

function reducers.search(state, payload)
  if (payload.text or "") == "" then moon.refuse "Type a part of the name first." end
  state.search = { text = payload.text, is_running = true, entries = moon.list() }
end

function reducers.found(state, payload)
  state.search = { text = payload.text, is_running = false, entries = payload.entries }
end

-- Ways of looking.

function reducers.sort(state, payload)
  state.is_reversed = state.sort == payload.by and not state.is_reversed
  state.sort = payload.by
end

function reducers.show_hidden(state) state.hidden = not state.hidden end

local next_detail = { size = "date", date = "both", both = "size" }

function reducers.show_detail(state) state.detail = next_detail[state.detail] end

local function forget(state, path)
  for place, bookmark in ipairs(state.bookmarks) do
    if bookmark == path then return table.remove(state.bookmarks, place) end
  end
end

function reducers.bookmark(state)
  if not forget(state, state.place) then table.insert(state.bookmarks, state.place) end
  table.sort(state.bookmarks)
end

function reducers.forget(state, payload) forget(state, payload.path) end

function reducers.kept(state, payload)
  for name, value in pairs(payload.values) do
    if state[name] ~= nil then state[name] = value end
  end
end

-- Choosing.

function reducers.mark(state, payload)
  local path = marks.at(state, payload.path)
  if not path then moon.refuse "Move to an entry first." end
  state.marked[path] = not state.marked[path] or nil
  local list = state.lists[state.place]
  local place = list and paths.parent(path) == state.place and place_of(list, paths.name(path))
  if place then list.cursor = place end
  reducers.move(state, { by = 1 })
end

function reducers.mark_all(state)
  local list, is_any_new = state.lists[state.place], false
  if not list then return end
  for _, entry in ipairs(list.entries) do
    is_any_new = is_any_new or not state.marked[paths.join(state.place, entry.name)]
  end
  for _, entry in ipairs(list.entries) do
    state.marked[paths.join(state.place, entry.name)] = is_any_new or nil
  end
end

function reducers.unmark_all(state) state.marked = {} end

function reducers.unmark(state)
  state.marked, state.held.paths = {}, moon.list()
end

function reducers.hold(state, payload)
  state.held = { mode = payload.mode, paths = marks.chosen(state, payload.path) }
  state.marked = {}
end

return reducers
