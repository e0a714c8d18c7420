local moon = require "moonwire"
local boards = require "boards"
local kinds = require "kinds"
local places = require "places"
local steps = require "steps"
local words = require "words"

local reducers = {}

for name, change in pairs(require "changes") do reducers[name] = steps.reducer(change) end

reducers.undo, reducers.redo = steps.undo, steps.redo

local function show(state, board)
  if state.shown == board then return end
  state.shown, state.filter = board, ""
  -- The board that is shown is kept, too.
  state.revision = state.revision + 1
end

function reducers.show_board(state, payload)
  steps.require_read(state)
  if not kinds.memory(state):exists("board", payload.board) then
    moon.refuse("There is no board " .. payload.board .. ".")
  end
  show(state, payload.board)
  state.said = ""
end

-- What was done is news on the screen where it was done.
function reducers.open(state) state.said = "" end

function reducers.go(state, payload)
  local board = places.board_of(kinds.memory(state):all "board", payload.card)
  if not board then moon.refuse("There is no card " .. payload.card .. ".") end
  show(state, board.id)
  state.said = ""
end

function reducers.filter(state, payload)
  state.filter, state.said = words.trimmed(payload.text), ""
end

function reducers.dense(state) state.is_dense = not state.is_dense end

function reducers.turn(state, payload)
  steps.require_read(state)
  local board = kinds.memory(state):get("board", state.shown)
  local first = places.window(state, board)
  state.first = first + payload.by
  if places.window(state, board) == first then
    moon.refuse("There are no columns " .. (payload.by < 0 and "before." or "after."))
  end
end

function reducers.widen(state, payload)
  state.side_by_side = math.max(1, math.min(9, state.side_by_side + payload.by))
end

function reducers.search(state, payload) state.search = words.trimmed(payload.text) end

function reducers.exported(state, payload)
  state.said = "Wrote " .. payload.path
end

local function forget_changes(store)
  for _, kind in ipairs(kinds.undoable) do store:forget_changes(kind) end
end

local function find_steps(state, steps_read)
  state.step_done, state.step_last = 0, 0
  for _, step in ipairs(steps_read) do
    state.step_last = math.max(state.step_last, step.id)
    if step.is_done then state.step_done = math.max(state.step_done, step.id) end
  end
end

local function choose_board(state, store, shown)
  if store:exists("board", state.shown) then return end
  state.shown = store:exists("board", shown) and shown or store:all("board")[1].id
end

function reducers.begun(state, payload)
  state.records = {}
  local store, mark = kinds.memory(state), payload.mark or { shown = 0, writes = 0 }
  store:put_all("board", payload.boards or {})
  store:put_all("card", payload.cards or {})
  store:put_all("step", payload.steps or {})
  -- What was read needn't be kept.
  forget_changes(store)
  if store:count "board" == 0 then
    store:put("board", boards.new(1, "My board", payload.columns))
  end
  find_steps(state, payload.steps or {})
  choose_board(state, store, mark.shown)
  state.writes, state.window, state.kept = mark.writes, payload.window, state.revision
  state.is_read, state.problem = true, ""
end

function reducers.kept(state, payload)
  state.problem, state.writes, state.kept = "", payload.writes, payload.revision
  -- What has changed meanwhile is kept next.
  if state.revision == payload.revision then forget_changes(kinds.memory(state)) end
end

function reducers.failed(state, payload) state.problem = payload.problem end

-- Until the boards have been read again, nothing can be changed.
function reducers.overtaken(state)
  state.is_read = false
  state.said = "Another window has changed the boards: your last change is lost, do it again."
end

return reducers
