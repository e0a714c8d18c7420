-- Keeps the records until the next run, if the storage is granted.
local moon = require "moonwire"
local kinds = require "kinds"

local function reason(problem)
  return type(problem) == "table" and (problem.reason or problem.message)
    or tostring(problem)
end

local effects = {}

function effects.read(_, self)
  local begun = { columns = self.settings.columns, window = moon.random(1 << 40) }
  if moon.granted "storage" then
    local is_read, problem = pcall(function()
      kinds.stored():transaction(function(store)
        begun.boards, begun.cards = store:all "board", store:all "card"
        begun.steps, begun.mark = store:all "step", store:get("mark", 1)
      end)
    end)
    if not is_read then
      -- Without them, nothing may be changed: what is stored would be replaced.
      self.dispatch("failed", { problem = "Not read (ctrl+s: again): " .. reason(problem) })
      return
    end
  end
  self.dispatch("begun", begun)
end

-- Writes what has changed, all of it together, and returns how often anyone has written. Writes
-- nothing and returns nil if somebody else has, since this app has read or written. A write of this
-- window whose end it hasn't seen, because of a reload, is its own.
local function write(state)
  -- What is in the state can't be used any more after a wait.
  local memory, shown, window, all = kinds.memory(state), state.shown, state.window, {}
  local known = state.writes
  for _, kind in ipairs(kinds.undoable) do all[kind] = memory:changes(kind) end
  return kinds.stored():transaction(function(store)
    local mark = store:get("mark", 1)
    local writes = mark and mark.writes or 0
    if writes ~= known and mark.window ~= window then return nil end
    for kind, changes in pairs(all) do
      store:put_all(kind, changes.updated)
      store:delete_all(kind, changes.deleted)
    end
    store:put("mark", { id = 1, shown = shown, writes = writes + 1, window = window })
    return writes + 1
  end)
end

-- One at a time, until there is nothing more to keep.
effects.keep = {
  policy = "first",
  run = function(_, self)
    local revision
    repeat
      local state = self.state "board"
      if not state.is_read then return "read" end
      if not moon.granted "storage" or state.revision == state.kept then return end
      revision = state.revision
      local has_ended, writes = pcall(write, state)
      if not has_ended then
        local problem = "Not kept (ctrl+s: again): " .. reason(writes)
        self.dispatch("failed", { problem = problem })
        return
      elseif not writes then
        self.dispatch "overtaken"
        self.dispatch "read"
        return
      end
      self.dispatch_and_wait("kept", { revision = revision, writes = writes })
    until self.state "board.revision" == revision
  end,
}

-- At the start, and after a reload, which ends reading and keeping.
effects.go_on = {
  keep = true,
  run = function(_, self) self.dispatch(self.state "board.is_read" and "keep" or "read") end,
}

return {
  effects = effects,
  observe = {
    paths = { revision = "board.revision" },
    run = function(_, _, self) self.dispatch "keep" end,
  },
}
