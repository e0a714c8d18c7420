-- What is marked, in all directories.
local moon = require "moonwire"
local paths = require "paths"

local marks = {}

function marks.list(state)
  local list = moon.list()
  for path in pairs(state.marked) do list[#list + 1] = path end
  table.sort(list)
  return list
end

-- The entry that a key acts on: that of the focus, or the cursor's if the focus is behind it, as
-- when keys are typed fast.
function marks.at(state, path)
  local list = path and paths.parent(path) == state.place and state.lists[state.place]
  local trail = list and list.trail or {}
  local entry = trail[paths.name(path or "")] and list.entries[list.cursor]
  return entry and paths.join(state.place, entry.name) or path
end

-- What is marked, wherever it is, or else the one entry.
function marks.chosen(state, path)
  local list = marks.list(state)
  if #list == 0 then list[1] = marks.at(state, path) end
  if #list == 0 then moon.refuse "Move to an entry first, or mark some with Space." end
  return list
end

return marks
