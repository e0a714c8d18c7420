-- A room with messages. It knows nothing of commands or of silence: the middleware beside it
-- decides what becomes of an action before any reducer sees it.
local moon = require "moonwire"

return moon.module {
  description = "A room where people talk",

  state = { messages = moon.list() },

  actions = {
    send = { "Says something", text = "string" },
    act = { "Does something", text = "string" },
    clear = { "Empties the room" },
  },

  reducers = {
    send = function(state, payload)
      table.insert(state.messages, payload.text)
    end,
    act = function(state, payload)
      table.insert(state.messages, "* " .. payload.text)
    end,
    clear = function(state)
      state.messages = moon.list()
    end,
  },
}
