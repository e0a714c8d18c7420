-- Keeps people from talking for a while, whichever way they try.
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
    -- Behind the commands, which have no priority and so "medium": `/me waves` has become
    -- `chat/act` when it comes here.
    priority = "low",
    on = "chat/*",
    run = function(action, state)
      if not state.quiet.on or action.type == "chat/clear" then return end
      -- `return false` would drop it without a trace. This way it can be seen.
      return { type = "dropped", payload = { what = action.type } }
    end,
  },
}
