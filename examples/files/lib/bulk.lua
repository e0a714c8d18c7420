-- Many new names at once: what they lead to, and in which order they can be given.
local moon = require "moonwire"
local paths = require "paths"
local words = require "words"

local bulk = {}

-- The names of paths as a text, a line for each, which a person then changes.
function bulk.text(from)
  local names = {}
  for place, path in ipairs(from) do names[place] = paths.name(path) end
  return table.concat(names, "\n")
end

local function lines_of(text)
  local lines = {}
  for line in text:gsub("[\r\n]+$", ""):gmatch "[^\n]*" do
    lines[#lines + 1] = line:gsub("\r$", "")
  end
  return lines
end

-- The entries that get another name, `{ from, to, problem }`, and what is wrong with the whole.
function bulk.plan(from, text)
  local names, changes, owners, problem = lines_of(text), moon.list(), {}, nil
  if #names ~= #from then
    problem = words.count(#names, "line") .. " for " .. words.entries(#from)
      .. ": each entry needs its own line."
    return changes, problem
  end
  local targets = {}
  for place, path in ipairs(from) do
    targets[place] = paths.join(paths.parent(path), names[place])
    owners[targets[place]] = (owners[targets[place]] or 0) + 1
  end
  for place, path in ipairs(from) do
    local to = targets[place]
    if to ~= path or owners[to] > 1 then
      local wrong = paths.problem(names[place])
        or owners[to] > 1 and "two entries would have this name" or nil
      changes[#changes + 1] = { from = path, to = to, problem = wrong }
      problem = problem or wrong and "Some names can't be given."
    end
  end
  return changes, problem
end

-- Moves in an order in which no name is taken when it is given: an entry that has the new name of
-- another one gets out of the way first.
function bulk.moves(changes)
  local leaves, first, last = {}, {}, {}
  for _, change in ipairs(changes) do leaves[change.from] = true end
  for place, change in ipairs(changes) do
    local from = change.from
    if leaves[change.to] then
      local aside = paths.join(paths.parent(from), ".renaming-" .. place)
      first[#first + 1] = { from = from, to = aside }
      from = aside
    end
    last[#last + 1] = { from = from, to = change.to }
  end
  -- Those that stand in nobody's way still leave before their names are given to others.
  table.sort(last, function(a, b)
    local is_first = leaves[a.from] and not leaves[a.to]
    local is_second = leaves[b.from] and not leaves[b.to]
    if is_first ~= is_second then return is_first end
    return a.from < b.from
  end)
  table.move(last, 1, #last, #first + 1, first)
  return first
end

return bulk
