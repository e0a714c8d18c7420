-- Changing files: what is refused, and what can be undone. The jobs themselves are effects.
local moon = require "moonwire"
local bulk = require "bulk"
local marks = require "marks"
local paths = require "paths"

-- How many changes can be undone.
local steps_max = 100

local changes = {}

-- One job at a time: the second could change what the first one has counted on.
local function begin(state, job)
  if state.busy ~= "" then moon.refuse("Wait until this has ended: " .. state.busy .. ".") end
  state.busy, state.said = job, nil
end

local function refuse_name(state, place, name)
  local problem = paths.problem(name)
  if problem then moon.refuse("This can't be its name: " .. problem .. ".") end
  local list = state.lists[place]
  for _, entry in ipairs(list and list.entries or {}) do
    if entry.name == name then moon.refuse("There is '" .. name .. "' already.") end
  end
end

function changes.paste(state)
  if #state.held.paths == 0 then
    moon.refuse "Nothing was taken: y takes entries for copying, x for moving."
  end
  begin(state, state.held.mode == "copy" and "copying" or "moving")
end

function changes.trash(state, payload)
  state.targets = marks.chosen(state, payload.path)
  begin(state, "putting into the trash")
end

function changes.trash_listed(state, payload) state.trash = payload end

function changes.restore(state) begin(state, "putting back") end

function changes.empty(state) begin(state, "emptying the trash") end

function changes.rename(state, payload)
  if payload.name == paths.name(payload.path) then moon.refuse "This is its name already." end
  refuse_name(state, paths.parent(payload.path), payload.name)
  begin(state, "renaming")
  state.goal = paths.join(paths.parent(payload.path), payload.name)
end

-- What is to be made may be below directories that aren't there yet.
function changes.create(state, payload)
  local name = payload.name:gsub("/$", "")
  for part in (name .. "/"):gmatch "([^/]*)/" do
    local problem = paths.problem(part)
    if problem then moon.refuse("This can't be its name: " .. problem .. ".") end
  end
  local first = name:match "^[^/]*"
  if first == name then refuse_name(state, state.place, name) end
  begin(state, "making " .. payload.name)
  state.goal = paths.join(state.place, first)
end

function changes.bulk(state)
  local from = marks.list(state)
  local list = state.lists[state.place]
  if #from == 0 then
    for place, entry in ipairs(list and list.entries or {}) do
      from[place] = paths.join(state.place, entry.name)
    end
  end
  if #from == 0 then moon.refuse "There is nothing to rename here." end
  if #from > 1000 then moon.refuse "These are more than 1,000: mark those to rename." end
  state.bulk = { from = from, changes = moon.list() }
end

function changes.bulk_check(state, payload)
  state.bulk.changes, state.bulk.problem = bulk.plan(state.bulk.from, payload.names)
end

function changes.bulk_rename(state)
  if state.bulk.problem then moon.refuse(state.bulk.problem) end
  if #state.bulk.changes == 0 then moon.refuse "No name is another one." end
  begin(state, "renaming")
end

function changes.undo(state)
  if #state.done == 0 then moon.refuse "There is nothing to undo." end
  begin(state, "undoing")
end

function changes.redo(state)
  if #state.undone == 0 then moon.refuse "There is nothing to do again." end
  begin(state, "doing again")
end

function changes.progressed(state, payload) state.progress = payload end

local function push(stack, entry)
  if entry and #entry.moves + #entry.made > 0 then table.insert(stack, entry) end
  if #stack > steps_max then table.remove(stack, 1) end
end

local titles = {
  ["do"] = "%s  (u: undo)", empty = "%s",
  undo = "Undone: %s  (U: do again)", redo = "Done again: %s",
}

-- What a job has done is said until the next one, or until another directory is shown.
local function report(payload)
  local can_undo = #payload.moves + #payload.made > 0
  local title = can_undo and titles[payload.kind] or "%s"
  local text = payload.text ~= "" and title:format(payload.text) or ""
  -- Undoing that hasn't got to the end, and can be gone on with.
  if payload.left and #payload.left.moves + #payload.left.made > 0 then
    text = #payload.failures == 0 and "Stopped halfway" or ""
  end
  return { text = text, failures = payload.failures }
end

-- What an emptied trash had can't come back.
local function forget_trash(stack)
  for place = #stack, 1, -1 do
    for _, move in ipairs(stack[place].moves) do
      if paths.is_within(move.from, paths.trash) or paths.is_within(move.to, paths.trash) then
        table.remove(stack, place)
        break
      end
    end
  end
end

-- What has moved isn't where it was marked, taken or looked at.
local function leave(state, moves)
  local gone = {}
  for _, move in ipairs(moves) do
    gone[move.from] = true
    state.marked[move.from] = nil
  end
  if state.looked and gone[state.looked.path] then state.looked = nil end
  for place = #state.held.paths, 1, -1 do
    if gone[state.held.paths[place]] then table.remove(state.held.paths, place) end
  end
end

-- What undoing has put into the directory that is shown: the cursor goes there.
local function came_back(state, moves)
  for _, move in ipairs(moves) do
    if paths.parent(move.to) == state.place and not paths.is_within(move.to, paths.trash) then
      return move.to
    end
  end
end

function changes.ended(state, payload)
  state.busy, state.progress, state.targets = "", nil, moon.list()
  state.said = report(payload)
  local entry = { text = payload.text, moves = payload.moves, made = payload.made }
  if payload.kind == "empty" then
    forget_trash(state.done)
    forget_trash(state.undone)
  elseif payload.kind == "do" then
    if #entry.moves + #entry.made > 0 then state.undone = moon.list() end
    push(state.done, entry)
  else
    local from, to = state.done, state.undone
    if payload.kind == "redo" then from, to = to, from end
    table.remove(from)
    push(from, payload.left)
    push(to, entry)
    state.goal = came_back(state, payload.moves)
  end
  leave(state, payload.moves)
  -- Other directories may have changed, too, and are read again when they are shown.
  for path, list in pairs(state.lists) do
    if path ~= state.place then list.is_stale = true end
  end
end

return changes
