-- A room with messages. It doesn't handle commands or muting: the middleware in the other modules
-- does that before any reducer is called.
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
