-- Mutes the room for a while, for messages and commands alike.
local moon = require "moonwire"

return moon.module {
  description = "Drops what is said while it is quiet",

  state = { on = false, dropped = 0 },

  actions = {
    set = { "Begins or ends the silence", on = "boolean" },
    dropped = { "Somebody wasn't heard", what = "string" },
  },

  reducers = {
    set = function(state, payload)
      state.on = payload.on
    end,
    dropped = function(state)
      state.dropped = state.dropped + 1
    end,
  },

  middleware = {
    -- Runs after `commands`, whose priority is "medium" by default, so `/me waves` is already
    -- `chat/act`.
    priority = "low",
    on = "chat/*",
    run = function(action, state)
      if not state.quiet.on or action.type == "chat/clear" then return end
      -- `return false` would drop the action silently. This counts it.
      return { type = "dropped", payload = { what = action.type } }
    end,
  },
}
