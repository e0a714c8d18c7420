-- Changes as steps: each keeps the records it has changed as they were before and after it. Steps
-- are records, too, so that what was done in an earlier run can be undone.
local moon = require "moonwire"
local kinds = require "kinds"

-- More steps than anyone takes back.
local steps_max = 100

-- What a change gets to work with: records that it reads as copies and puts back.
local Desk = {}
Desk.__index = Desk

function Desk:note(kind, id)
  local key = kind .. id
  if self.noted[key] then return end
  self.noted[key] = true
  table.insert(self.edits, { kind = kind, id = id, before = self.store:get(kind, id) })
end

function Desk:put(kind, record)
  self:note(kind, record.id)
  self.store:put(kind, record)
end

function Desk:delete(kind, id)
  self:note(kind, id)
  self.store:delete(kind, id)
end

function Desk:board(id)
  local board = self.store:get("board", id or self.state.shown)
  if not board then moon.refuse("There is no board " .. (id or self.state.shown) .. ".") end
  return board
end

function Desk:card(id)
  local card = self.store:get("card", id)
  if not card then moon.refuse("There is no card " .. id .. ".") end
  return card
end

-- An id that no record of a kind has. Undo takes steps back in their order, so that an id is free
-- again only if nothing refers to it.
function Desk:next_id(kind)
  local last = 0
  for _, record in ipairs(self.store:all(kind)) do last = math.max(last, record.id) end
  return last + 1
end

local function require_read(state)
  if not state.is_read then moon.refuse "The boards aren't read yet." end
end

local function keep(state, store, text, edits)
  for id = state.step_done + 1, state.step_last do store:delete("step", id) end
  local id = state.step_done + 1
  store:put("step", { id = id, text = text, is_done = true, edits = edits })
  if id > steps_max then store:delete("step", id - steps_max) end
  state.step_done, state.step_last = id, id
end

local function changed(state, said)
  state.revision, state.said = state.revision + 1, said
end

-- Goes to what was undone or done again, if it is on another board.
local function follow(state, store, board)
  local shown = state.shown
  if board and store:exists("board", board) then shown = board end
  if not store:exists("board", shown) then shown = store:all("board")[1].id end
  if shown ~= state.shown then state.shown, state.filter = shown, "" end
end

-- Makes a reducer that carries out a step again, or takes it back.
local function carry_out(id_of, side, is_done, nothing, word)
  return function(state)
    require_read(state)
    local store = kinds.memory(state)
    local step = store:get("step", id_of(state))
    if not step then moon.refuse(nothing) end
    local board
    for _, edit in ipairs(step.edits) do
      local record = edit[side]
      if record then store:put(edit.kind, record) else store:delete(edit.kind, edit.id) end
      if edit.kind == "board" then board = edit.id end
    end
    step.is_done = is_done
    store:put("step", step)
    state.step_done = is_done and step.id or step.id - 1
    follow(state, store, board)
    changed(state, word .. step.text)
  end
end

local steps = {}

steps.require_read = require_read

steps.undo = carry_out(function(state) return state.step_done end, "before", false,
  "There is nothing to undo.", "Undone: ")

steps.redo = carry_out(function(state) return state.step_done + 1 end, "after", true,
  "There is nothing to do again.", "Done again: ")

-- Makes a reducer of a change, a function that returns what it has done in a few words.
function steps.reducer(change)
  return function(state, payload)
    require_read(state)
    local store = kinds.memory(state)
    local desk = setmetatable({ state = state, store = store, noted = {}, edits = moon.list() },
      Desk)
    local text = change(desk, payload)
    for _, edit in ipairs(desk.edits) do edit.after = store:get(edit.kind, edit.id) end
    keep(state, store, text, desk.edits)
    changed(state, text .. "  (u: undo)")
  end
end

return steps
