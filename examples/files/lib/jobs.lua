-- Effects that change files. Each records what it has done, so that it can be undone: nothing but
-- an emptied trash is removed, all else is moved, and what was made is moved into the trash.
local moon = require "moonwire"
local bulk = require "bulk"
local disk = require "disk"
local paths = require "paths"
local trash = require "trash"
local words = require "words"

local jobs = {}

-- Long jobs say how far they are, each time they have done so many.
local step = 20

-- An effect that ends with `ended`, also if it is cancelled halfway.
local function job(kind, run)
  return function(payload, self)
    local outcome = {
      kind = kind, text = "Stopped halfway",
      moves = moon.list(), made = moon.list(), failures = moon.list(),
    }
    local ending <close> = setmetatable({}, {
      __close = function() self.dispatch("ended", outcome) end,
    })
    run(outcome, payload, self, disk.of(self))
  end
end

-- Calls a function for each path. One that fails doesn't keep the others from being done.
local function each(outcome, self, list, run)
  local done = {}
  for place, path in ipairs(list) do
    if #list > step and place % step == 1 then
      self.dispatch("progressed", { done = place - 1, all = #list })
    end
    local is_done, problem = pcall(run, path)
    if is_done then
      done[#done + 1] = path
    else
      local reason = words.reason(problem, "write")
      outcome.failures[#outcome.failures + 1] = paths.name(path) .. ": " .. reason
    end
  end
  return done
end

local function move(outcome, files, from, to)
  files:move(from, to)
  outcome.moves[#outcome.moves + 1] = { from = from, to = to }
end

local function say(outcome, verb, done, rest)
  local what = #done > 0 and words.these(done, paths.name)
  outcome.text = what and verb .. " " .. what .. (rest or "") or ""
end

local function place_name(path)
  return path == "" and "the top" or path
end

-- What a list in the state holds, for use across waits.
local function copied(list)
  local copy = moon.list()
  for place, value in ipairs(list) do copy[place] = value end
  return copy
end

local function entry_of(entry)
  local moves = moon.list()
  for place, one in ipairs(entry.moves) do moves[place] = { from = one.from, to = one.to } end
  return { text = entry.text, moves = moves, made = copied(entry.made) }
end

-- Moves something back. What isn't there any more is told and forgotten, so that what was done
-- before it can be undone; for any other reason, the rest stays to be undone.
local function take_back(outcome, files, from, to_of)
  local done, problem = pcall(function() move(outcome, files, from, to_of(from)) end)
  if done then return true end
  local is_there = moon.files.exists(files:at(from))
  local reason = is_there and words.reason(problem, "write") or "it isn't there any more"
  table.insert(outcome.failures, paths.name(from) .. ": " .. reason)
  return not is_there
end

-- What was made goes into the trash; moves are taken back from the last to the first.
local function revert(outcome, files, entry)
  outcome.text, outcome.left = entry.text, entry
  local moves, made, case = entry.moves, entry.made, trash.cases(files)
  while made[#made] and take_back(outcome, files, made[#made], case) do made[#made] = nil end
  if #made > 0 then return end
  while #moves > 0 do
    local last = moves[#moves]
    if not take_back(outcome, files, last.to, function() return last.from end) then return end
    moves[#moves] = nil
  end
end

-- What making a path adds to a directory: the first on the way that isn't there yet. Undoing takes
-- all of it back with that.
local function missing(files, place, path)
  local way = paths.way(path)
  for stop = #paths.way(place) + 1, #way - 1 do
    if not moon.files.exists(files:at(way[stop])) then return way[stop] end
  end
  return path
end

jobs.effects = {
  paste = job("do", function(outcome, _, self, files)
    local place, held = self.state "files.place", self.state "files.held"
    local is_copy = held.mode == "copy"
    local done = each(outcome, self, copied(held.paths), function(path)
      if paths.is_within(place, path) then error("it can't be put into itself", 0) end
      if not is_copy and paths.parent(path) == place then error("it is here already", 0) end
      local to = files:free(place, paths.name(path))
      if not is_copy then return move(outcome, files, path, to) end
      -- Counts from the start: half a copy can be undone, too.
      outcome.made[#outcome.made + 1] = to
      files:copy(path, to)
    end)
    say(outcome, is_copy and "Copied" or "Moved", done, " to " .. place_name(place))
  end),

  trash = job("do", function(outcome, _, self, files)
    local case = trash.cases(files)
    local done = each(outcome, self, copied(self.state "files.targets"), function(path)
      move(outcome, files, path, case(path))
    end)
    say(outcome, "Put", done, " into the trash")
  end),

  restore = job("do", function(outcome, payload, self, files)
    local done = each(outcome, self, { payload.path }, function(path)
      local place = paths.parent(payload.origin) or ""
      if place ~= "" then files:make_directory(place) end
      move(outcome, files, path, files:free(place, paths.name(payload.origin)))
    end)
    say(outcome, "Put back", done)
  end),

  rename = job("do", function(outcome, payload, self, files)
    local to = paths.join(paths.parent(payload.path), payload.name)
    local done = each(outcome, self, { payload.path }, function(path)
      move(outcome, files, path, to)
    end)
    say(outcome, "Renamed", done, " to " .. payload.name)
  end),

  -- All or none: half of the new names help nobody.
  bulk_rename = job("do", function(outcome, _, self, files)
    local changes = {}
    for place, change in ipairs(self.state "files.bulk.changes") do
      changes[place] = { from = change.from, to = change.to }
    end
    local done, problem = pcall(function()
      for _, one in ipairs(bulk.moves(changes)) do move(outcome, files, one.from, one.to) end
    end)
    if done then
      outcome.text = "Renamed " .. words.entries(#changes)
      return
    end
    local moves = outcome.moves
    outcome.moves = moon.list()
    revert(outcome, files, entry_of { text = "", moves = moves, made = {} })
    outcome.moves, outcome.left = outcome.left.moves, nil
    outcome.failures = moon.list { "nothing was renamed: " .. words.reason(problem, "write") }
  end),

  create = job("do", function(outcome, payload, self, files)
    local name, is_directory = payload.name:gsub("/$", "")
    local done = each(outcome, self, { paths.join(self.state "files.place", name) }, function(path)
      if moon.files.exists(files:at(path)) then
        error("there is something of that name already", 0)
      end
      outcome.made[1] = missing(files, self.state "files.place", path)
      if is_directory == 1 then return files:make_directory(path) end
      local above = paths.parent(path)
      if above ~= self.state "files.place" then files:make_directory(above) end
      files:write(path, "")
    end)
    say(outcome, "Made", done)
  end),

  empty = job("empty", function(outcome, _, _, files)
    local done, problem = pcall(files.remove_all, files, paths.trash)
    outcome.text = done and "Emptied the trash" or ""
    if not done then outcome.failures[1] = "the trash: " .. words.reason(problem, "write") end
  end),

  undo = job("undo", function(outcome, _, self, files)
    local done = self.state "files.done"
    revert(outcome, files, entry_of(done[#done]))
  end),

  redo = job("redo", function(outcome, _, self, files)
    local undone = self.state "files.undone"
    revert(outcome, files, entry_of(undone[#undone]))
  end),

  ended = function(_, self)
    self.dispatch "refresh"
    local top = self.top()
    if top and top.kind == "trash" then self.dispatch "list_trash" end
  end,
}

return jobs
