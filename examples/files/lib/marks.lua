-- What is marked, in all directories.
local moon = require "moonwire"

local marks = {}

function marks.list(state)
  local list = moon.list()
  for path in pairs(state.marked) do list[#list + 1] = path end
  table.sort(list)
  return list
end

-- What is marked, wherever it is, or else the one entry.
function marks.chosen(state, path)
  local list = marks.list(state)
  if #list == 0 then list[1] = path end
  if #list == 0 then moon.refuse "Move to an entry first, or mark some with Space." end
  return list
end

return marks
