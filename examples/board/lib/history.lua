-- Undo and redo: each change keeps the lists that were there before it, and is made to new ones.
local moon = require "moonwire"

-- More steps than anyone takes back.
local steps_max = 200

local function snapshot(state, text)
  return { text = text, cards = state.cards, archive = state.archive, last_id = state.last_id }
end

-- The cards themselves stay shared: a change puts new ones in their places.
local function copied(list) return moon.list(table.move(list, 1, #list, 1, {})) end

local function step(from, to, word)
  return function(state)
    local before = table.remove(state[from])
    if not before then moon.refuse("There is nothing to " .. word .. ".") end
    table.insert(state[to], snapshot(state, before.text))
    state.cards, state.archive, state.last_id = before.cards, before.archive, before.last_id
    state.said = (from == "done" and "Undone: " or "Done again: ") .. before.text
  end
end

local history = {}

-- Makes reducers of changes, which can be undone.
function history.reducers(changes)
  local reducers = {}
  for name, change in pairs(changes) do
    reducers[name] = function(state, payload)
      local before = snapshot(state, "")
      state.cards, state.archive = copied(state.cards), copied(state.archive)
      before.text = change(state, payload)
      table.insert(state.done, before)
      if #state.done > steps_max then table.remove(state.done, 1) end
      state.undone, state.said = moon.list(), before.text .. "  (u: undo)"
    end
  end

  reducers.undo = step("done", "undone", "undo")
  reducers.redo = step("undone", "done", "do again")
  reducers.filter = function(state, payload) state.filter, state.said = payload.text or "", "" end

  function reducers.begun(state, payload)
    state.columns = payload.columns
    local kept = payload.kept
    if not kept then return end
    state.cards, state.archive, state.last_id = kept.cards, kept.archive, kept.last_id
    -- There may be fewer columns than in the last run.
    for _, card in ipairs(state.cards) do card.column = math.min(card.column, #state.columns) end
  end

  return reducers
end

return history
