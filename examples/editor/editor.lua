-- A text editor: lines, a place among them, and steps that can be undone. With --journal, a text
-- survives whatever ends the program.
local moon = require "moonwire"
local ui = moon.ui

-- The maximum number of steps that can be undone.
local steps_max = 200

-- Returns what a step has to bring back.
local function snapshot(state)
  return { lines = state.lines, at = state.at }
end

local function restore(state, from, to)
  local step = table.remove(state[from])
  if not step then moon.refuse("there is nothing to " .. (from == "past" and "undo" or "redo")) end
  table.insert(state[to], snapshot(state))
  state.lines, state.at = step.lines, step.at
end

-- Makes a reducer that can be undone.
local function step(change)
  return function(state, payload)
    table.insert(state.past, snapshot(state))
    if #state.past > steps_max then table.remove(state.past, 1) end
    state.future = moon.list()
    change(state, payload)
  end
end

return moon.module {
  description = "Edits a text",

  -- `at` is the number of the line before the place where text goes; 0 is the beginning.
  state = { lines = moon.list(), at = 0, past = moon.list(), future = moon.list() },

  actions = {
    insert = { "Inserts a line below the current one", text = "string" },
    change = { "Changes the current line", text = "string" },
    delete = "Deletes the current line",
    go = { "Goes to a line", line = "integer" },
    undo = "Takes the last step back",
    redo = "Does the last step again that was undone",
  },

  reducers = {
    insert = step(function(state, payload)
      state.at = state.at + 1
      table.insert(state.lines, state.at, payload.text)
    end),
    change = step(function(state, payload)
      if state.at == 0 then moon.refuse("there is no current line") end
      state.lines[state.at] = payload.text
    end),
    delete = step(function(state)
      if state.at == 0 then moon.refuse("there is no current line") end
      table.remove(state.lines, state.at)
      state.at = math.min(state.at, #state.lines)
    end),
    go = function(state, payload)
      state.at = math.max(0, math.min(payload.line, #state.lines))
    end,
    undo = function(state) restore(state, "past", "future") end,
    redo = function(state) restore(state, "future", "past") end,
  },

  routes = {
    ["/"] = { screen = function() return { kind = "page", title = "Text" } end },
  },

  views = {
    page = function(_, state)
      local body = {}
      for i, line in ipairs(state.lines) do
        body[i] = ui.text((i == state.at and "> " or "  ") .. line)
      end
      if #body == 0 then body[1] = ui.text "(empty)" end
      return body
    end,
  },
}
