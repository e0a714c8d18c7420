-- Reads a directory the way the person wants to see it.
local paths = require "paths"
local words = require "words"

local listing = {}

-- What comes first when sorted by it; names decide between equals.
local orders = {
  name = function() return nil end,
  size = function(a, b) return (a.size or 0) > (b.size or 0), a.size ~= b.size end,
  date = function(a, b) return (a.modified or 0) > (b.modified or 0), a.modified ~= b.modified end,
}

local function day(seconds)
  return os.date("%Y-%m-%d %H:%M", math.floor(seconds))
end

-- What stands beside a name. Only this gets into the state, not what it was made from: a directory
-- of ten thousand entries is a large part of the state as it is.
local function detail_of(entry, detail)
  local size = entry.kind == "file" and words.size(entry.size) or ""
  if detail == "size" then return size end
  local date = entry.modified and day(entry.modified) or ""
  return detail == "date" and date or ("%7s  %s"):format(size, date)
end

-- `note 2` comes before `note 10`: figures count as numbers.
local function key_of(name)
  return (name:lower():gsub("%d+", function(digits) return ("0"):rep(12 - #digits) .. digits end))
end

local function sort(entries, view)
  local precedes = orders[view.sort]
  for _, entry in ipairs(entries) do entry.key = key_of(entry.name) end
  table.sort(entries, function(a, b)
    local is_directory = a.kind == "directory"
    if is_directory ~= (b.kind == "directory") then return is_directory end
    if view.is_reversed then a, b = b, a end
    local is_before, decides = precedes(a, b)
    if decides then return is_before end
    if a.key ~= b.key then return a.key < b.key end
    return a.name < b.name
  end)
end

-- What a link leads to; one that leads nowhere, or to what isn't granted, is shown as a file.
local function kind_of(disk, path, kind)
  if kind == "directory" then return "directory" end
  if kind ~= "link" then return "file" end
  local done, info = pcall(disk.info, disk, path)
  return done and info and info.kind == "directory" and "directory" or "file"
end

-- A name that isn't UTF-8 can't be said: it counts among those that aren't shown.
local function is_shown(entry, view, filter)
  if not utf8.len(entry.name) then return false end
  if not view.hidden and entry.name:sub(1, 1) == "." then return false end
  return filter == "" or entry.name:lower():find(filter, 1, true) ~= nil
end

-- The entries of a directory, sorted, and how many of all are left out.
function listing.read(disk, path, view, filter)
  local shown, all = {}, disk:list(path)
  filter = filter:lower()
  for _, entry in ipairs(all) do
    if is_shown(entry, view, filter) then shown[#shown + 1] = entry end
  end
  sort(shown, view)
  for place, entry in ipairs(shown) do
    shown[place] = {
      name = entry.name, kind = kind_of(disk, paths.join(path, entry.name), entry.kind),
      is_link = entry.kind == "link" or nil, detail = detail_of(entry, view.detail),
    }
  end
  return shown, #all - #shown
end

-- The paths below a directory whose names have a text in them: nearest first, until there are
-- enough. Hidden directories are searched only while they are shown.
function listing.search(disk, place, text, view, enough)
  local found, queue, next_one = {}, { place }, 1
  text = text:lower()
  while queue[next_one] and #found < enough do
    local directory = queue[next_one]
    next_one = next_one + 1
    local is_readable, entries = pcall(disk.list, disk, directory)
    for _, entry in ipairs(is_readable and entries or {}) do
      if is_shown(entry, view, "") then
        local path = paths.join(directory, entry.name)
        local kind = entry.kind == "directory" and "directory" or "file"
        if is_shown(entry, view, text) and #found < enough then
          found[#found + 1] = { path = path, kind = kind }
        end
        if kind == "directory" then queue[#queue + 1] = path end
      end
    end
  end
  return found
end

-- The part of a list around a place, at most so many: first and last.
function listing.around(count, place, rows)
  local first = math.max(1, math.min(place - rows // 2, count - rows + 1))
  return first, math.min(count, first + rows - 1)
end

return listing
