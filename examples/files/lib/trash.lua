-- The trash of the directory: a numbered directory for each thing, and a note where it was.
local paths = require "paths"

local trash = {}

-- More than a person reads through; the newest come first.
local shown_max = 200

local function numbers(files)
  local is_there, entries = pcall(files.list, files, paths.trash)
  local found = {}
  if not is_there then
    if entries.code == "not_found" then return found end
    error(entries, 0)
  end
  for _, entry in ipairs(entries) do
    local number = entry.kind == "directory" and math.tointeger(tonumber(entry.name))
    if number then found[#found + 1] = number end
  end
  table.sort(found, function(a, b) return a > b end)
  return found
end

-- A function that says where in the trash a path goes, for one job. The trash itself and what is in
-- it stay where they are.
function trash.cases(files)
  local last
  return function(path)
    if paths.is_within(path, paths.trash) then error("it is the trash, or in it", 0) end
    last = (last or numbers(files)[1] or 0) + 1
    return paths.join(paths.join(paths.trash, tostring(last)), paths.name(path))
  end
end

-- `{ path, origin }` of what is in the trash, and how many there are in all.
function trash.list(files)
  local all, found = numbers(files), {}
  for place = 1, math.min(#all, shown_max) do
    local case = paths.join(paths.trash, tostring(all[place]))
    local entry = files:list(case)[1]
    if entry then
      local is_noted, origin = pcall(files.read, files, case .. ".txt", 10000)
      found[#found + 1] = {
        path = paths.join(case, entry.name), origin = is_noted and origin or entry.name,
      }
    end
  end
  return found, #all
end

return trash
