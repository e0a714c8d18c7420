-- Keeps the records until the next run, if the storage is granted.
local moon = require "moonwire"
local kinds = require "kinds"

local function reason(problem)
  return type(problem) == "table" and (problem.reason or problem.message)
    or tostring(problem)
end

local effects = {}

function effects.read(_, self)
  local begun = { columns = self.settings.columns }
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
-- nothing and returns nil if somebody else has, since this app has read or written.
local function write(state)
  -- What is in the state can't be used any more after a wait.
  local memory, shown, writes, all = kinds.memory(state), state.shown, state.writes, {}
  for _, kind in ipairs(kinds.undoable) do all[kind] = memory:changes(kind) end
  return kinds.stored():transaction(function(store)
    local mark = store:get("mark", 1)
    if (mark and mark.writes or 0) ~= writes then return nil end
    for kind, changes in pairs(all) do
      store:put_all(kind, changes.updated)
      store:delete_all(kind, changes.deleted)
    end
    store:put("mark", { id = 1, shown = shown, writes = writes + 1 })
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
      if not moon.granted "storage" then return end
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

return {
  effects = effects,
  observe = {
    paths = { revision = "board.revision" },
    run = function(_, _, self) self.dispatch "keep" end,
  },
}
